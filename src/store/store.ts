import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AssetStore } from './assets.js';
import { AccountStore } from './accounts.js';
import { CatalogStore } from './catalog/catalog.js';
import { openDatabase, type SqliteDatabase } from './database.js';
import { IdempotencyStore } from './idempotency.js';
import { JobFileStore } from './job-files.js';
import { JobStore } from './jobs.js';
import { KeyStore } from './keys.js';
import { LedgerStore } from './ledger.js';
import { RateCountStore } from './rate-counts.js';
import { ResultStore } from './results.js';
import { UsageStore } from './usage.js';
import { WebhookStore } from './webhooks.js';

/** Everything durable: `state.db` and its aggregates, and beside it the catalogue. Opened by one process at a time or several. */
export class Store {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly ledger: LedgerStore;
  readonly results: ResultStore;
  readonly usage: UsageStore;
  readonly assets: AssetStore;
  readonly rateCounts: RateCountStore;
  readonly webhooks: WebhookStore;
  readonly jobs: JobStore;
  readonly jobFiles: JobFileStore;
  readonly idempotency: IdempotencyStore;
  readonly catalog: CatalogStore;
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase, catalog: CatalogStore) {
    this.catalog = catalog;
    this.#db = db;
    this.accounts = new AccountStore(db);
    this.keys = new KeyStore(db);
    this.ledger = new LedgerStore(db);
    this.results = new ResultStore(db);
    this.usage = new UsageStore(db);
    this.assets = new AssetStore(db);
    this.rateCounts = new RateCountStore(db);
    this.webhooks = new WebhookStore(db);
    this.jobs = new JobStore(db);
    this.jobFiles = new JobFileStore(db);
    this.idempotency = new IdempotencyStore(db);
  }

  /** `dataDir` is made when missing, readable by its owner alone; `:memory:` keeps nothing. */
  static open(dataDir: string): Store {
    if (dataDir === ':memory:') return new Store(openDatabase(dataDir, 'state'), CatalogStore.open(dataDir));
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return new Store(openDatabase(join(dataDir, 'state.db'), 'state'), CatalogStore.open(dataDir));
  }

  /** All of `work` or none of it; takes the write lock at once. Calls may nest. */
  transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  close(): void {
    this.catalog.close();
    this.#db.close();
  }
}
