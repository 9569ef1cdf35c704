import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type SqliteDatabase } from '../database.js';
import { FeatureStore } from './features.js';
import { IdentifierStore } from './identifiers.js';
import { LocalFileStore } from './local-files.js';
import { NameStore } from './names.js';
import { TrackResultStore } from './track-results.js';
import { TrackStore } from './tracks.js';

/** `catalog.db`: tracks and what is known of them. It can be made again from its sources, apart from money and jobs. */
export class CatalogStore {
  readonly tracks: TrackStore;
  readonly identifiers: IdentifierStore;
  readonly features: FeatureStore;
  readonly results: TrackResultStore;
  readonly names: NameStore;
  readonly files: LocalFileStore;
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
    this.tracks = new TrackStore(db);
    this.identifiers = new IdentifierStore(db);
    this.features = new FeatureStore(db);
    this.results = new TrackResultStore(db);
    this.names = new NameStore(db);
    this.files = new LocalFileStore(db);
  }

  /** As `Store.open`. */
  static open(dataDir: string): CatalogStore {
    if (dataDir === ':memory:') return new CatalogStore(openDatabase(dataDir, 'catalog'));
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return new CatalogStore(openDatabase(join(dataDir, 'catalog.db'), 'catalog'));
  }

  /** All of `work` or none of it; takes the write lock at once. Calls may nest. */
  transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  close(): void {
    this.#db.close();
  }
}
