import type { SqliteDatabase } from './database.js';

export interface IdempotencyKey {
  accountId: string;
  key: string;
  requestHash: Buffer;
  jobId: string;
  createdAt: number;
}

export class IdempotencyStore {
  readonly #get;
  readonly #put;
  readonly #purge;

  constructor(db: SqliteDatabase) {
    this.#get = db.prepare<[string, string], IdempotencyKey>(
      `SELECT account_id AS accountId, key, request_hash AS requestHash, job_id AS jobId, created_at AS createdAt
       FROM idempotency_keys WHERE account_id = ? AND key = ?`,
    );
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO idempotency_keys (account_id, key, request_hash, job_id, created_at)
       VALUES (@accountId, @key, @requestHash, @jobId, @createdAt)`,
    );
    this.#purge = db.prepare<[number]>('DELETE FROM idempotency_keys WHERE created_at <= ?');
  }

  get(accountId: string, key: string): IdempotencyKey | undefined {
    return this.#get.get(accountId, key);
  }

  put(key: IdempotencyKey): void {
    this.#put.run(key);
  }

  /** Forgets keys first used by `at`. */
  purge(at: number): void {
    this.#purge.run(at);
  }
}
