import type { SqliteDatabase } from '../database.js';

export interface Track {
  id: number;
  artist: string;
  title: string;
  album: string | null;
  durationMs: number | null;
  popularity: number;
}

export type NewTrack = Omit<Track, 'id'>;

export class TrackStore {
  readonly #insert;
  readonly #update;
  readonly #get;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare(
      `INSERT INTO tracks (artist, title, album, duration_ms, popularity)
       VALUES (@artist, @title, @album, @durationMs, @popularity)`,
    );
    this.#update = db.prepare(
      `UPDATE tracks SET artist = @artist, title = @title, album = @album, duration_ms = @durationMs,
         popularity = @popularity WHERE id = @id`,
    );
    this.#get = db.prepare<[number], Track>(
      'SELECT id, artist, title, album, duration_ms AS durationMs, popularity FROM tracks WHERE id = ?',
    );
  }

  /** Returns its id. */
  insert(track: NewTrack): number {
    return Number(this.#insert.run(track).lastInsertRowid);
  }

  update(track: Track): void {
    this.#update.run(track);
  }

  get(id: number): Track | undefined {
    return this.#get.get(id);
  }
}
