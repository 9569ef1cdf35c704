import type { SqliteDatabase } from './database.js';

export interface RateCount {
  id: string;
  /** Unix seconds. */
  second: number;
  count: number;
}

export class RateCountStore {
  readonly #clear;
  readonly #insert;
  readonly #list;

  constructor(db: SqliteDatabase) {
    this.#clear = db.prepare('DELETE FROM rate_counts');
    this.#insert = db.prepare('INSERT INTO rate_counts (id, second, count) VALUES (@id, @second, @count)');
    this.#list = db.prepare<[], RateCount>('SELECT id, second, count FROM rate_counts');
  }

  /** To be called in a transaction. */
  replaceAll(counts: RateCount[]): void {
    this.#clear.run();
    for (const count of counts) this.#insert.run(count);
  }

  list(): RateCount[] {
    return this.#list.all();
  }
}
