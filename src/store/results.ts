import type { SqliteDatabase } from './database.js';

const hourMs = 3_600_000;

/** Stored analysis results, and which account has paid for what. */
export class ResultStore {
  readonly #get;
  readonly #put;
  readonly #touch;
  readonly #paid;
  readonly #markPaid;
  readonly #total;
  readonly #evict;

  constructor(db: SqliteDatabase) {
    this.#get = db.prepare<[Buffer], { json: string; usedAt: number }>(
      'SELECT json, used_at AS usedAt FROM results WHERE cache_key = ?',
    );
    this.#put = db.prepare<[Buffer, string, string, number, number]>(
      'INSERT OR REPLACE INTO results (cache_key, analysis, json, bytes, used_at) VALUES (?, ?, ?, ?, ?)',
    );
    this.#touch = db.prepare<[number, Buffer]>('UPDATE results SET used_at = ? WHERE cache_key = ?');
    this.#paid = db
      .prepare<[string, Buffer], number>('SELECT 1 FROM purchases WHERE account_id = ? AND purchase_key = ?')
      .pluck();
    this.#markPaid = db.prepare<[string, Buffer, number]>(
      'INSERT OR IGNORE INTO purchases (account_id, purchase_key, created_at) VALUES (?, ?, ?)',
    );
    this.#total = db.prepare<[], number>('SELECT coalesce(sum(bytes), 0) FROM results').pluck();
    this.#evict = db.prepare<[number]>(
      'DELETE FROM results WHERE cache_key IN (SELECT cache_key FROM results ORDER BY used_at LIMIT ?)',
    );
  }

  /** The result's JSON text, byte for byte as it was stored. */
  get(cacheKey: Buffer, now: number): string | undefined {
    const row = this.#get.get(cacheKey);
    if (!row) return undefined;
    // Coarse on purpose: a hit must stay a read.
    if (now - row.usedAt > hourMs) this.#touch.run(now, cacheKey);
    return row.json;
  }

  put(cacheKey: Buffer, analysis: string, json: string, now: number): void {
    this.#put.run(cacheKey, analysis, json, json.length, now);
  }

  isPaid(accountId: string, purchaseKey: Buffer): boolean {
    return this.#paid.get(accountId, purchaseKey) === 1;
  }

  markPaid(accountId: string, purchaseKey: Buffer, now: number): void {
    this.#markPaid.run(accountId, purchaseKey, now);
  }

  /** Drops the longest unused results until at most `maxBytes` are left. */
  evictTo(maxBytes: number): void {
    while ((this.#total.get() ?? 0) > maxBytes) this.#evict.run(256);
  }
}
