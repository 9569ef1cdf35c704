import type { SqliteDatabase } from './database.js';

export interface UsageCount {
  accountId: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  endpoint: string;
  requests: number;
  cacheHits: number;
  errors: number;
}

export class UsageStore {
  readonly #add;
  readonly #list;

  constructor(db: SqliteDatabase) {
    this.#add = db.prepare(
      `INSERT INTO usage (account_id, day, endpoint, requests, cache_hits, errors)
       VALUES (@accountId, @day, @endpoint, @requests, @cacheHits, @errors)
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests,
         cache_hits = cache_hits + excluded.cache_hits, errors = errors + excluded.errors`,
    );
    this.#list = db.prepare<[string, string, string], Omit<UsageCount, 'accountId'>>(
      `SELECT day, endpoint, requests, cache_hits AS cacheHits, errors FROM usage
       WHERE account_id = ? AND day >= ? AND day <= ? ORDER BY day, endpoint`,
    );
  }

  add(count: UsageCount): void {
    this.#add.run(count);
  }

  list(accountId: string, fromDay: string, toDay: string): Omit<UsageCount, 'accountId'>[] {
    return this.#list.all(accountId, fromDay, toDay);
  }
}
