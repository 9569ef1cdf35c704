import type { SqliteDatabase } from './database.js';

export interface Asset {
  id: string;
  accountId: string;
  sha256: Buffer;
  bytes: number;
  /** Name in the file store. */
  file: string;
  createdAt: number;
  expiresAt: number;
}

const columns = `id, account_id AS accountId, sha256, bytes, file, created_at AS createdAt, expires_at AS expiresAt`;

export class AssetStore {
  readonly #insert;
  readonly #get;
  readonly #bySha256;
  readonly #page;
  readonly #renew;
  readonly #remove;
  readonly #expired;
  readonly #files;
  readonly #total;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare(
      `INSERT INTO assets (id, account_id, sha256, bytes, file, created_at, expires_at)
       VALUES (@id, @accountId, @sha256, @bytes, @file, @createdAt, @expiresAt)`,
    );
    this.#get = db.prepare<[string, string, number], Asset>(
      `SELECT ${columns} FROM assets WHERE account_id = ? AND id = ? AND expires_at > ?`,
    );
    this.#bySha256 = db.prepare<[string, Buffer], Asset>(
      `SELECT ${columns} FROM assets WHERE account_id = ? AND sha256 = ?`,
    );
    this.#page = db.prepare<[string, number, string, number], Asset>(
      `SELECT ${columns} FROM assets WHERE account_id = ? AND expires_at > ? AND id < ? ORDER BY id DESC LIMIT ?`,
    );
    this.#renew = db.prepare<[number, string]>('UPDATE assets SET expires_at = ? WHERE id = ?');
    this.#remove = db.prepare<[string]>('DELETE FROM assets WHERE id = ?');
    this.#expired = db.prepare<[number], Asset>(`SELECT ${columns} FROM assets WHERE expires_at <= ?`);
    this.#files = db.prepare<[], string>('SELECT file FROM assets').pluck();
    this.#total = db.prepare<[], number>('SELECT coalesce(sum(bytes), 0) FROM assets').pluck();
  }

  insert(asset: Asset): void {
    this.#insert.run(asset);
  }

  /** Undefined when it is another account's or has expired. */
  get(accountId: string, id: string, now: number): Asset | undefined {
    return this.#get.get(accountId, id, now);
  }

  /** Also one that has expired and is still there. */
  findBySha256(accountId: string, sha256: Buffer): Asset | undefined {
    return this.#bySha256.get(accountId, sha256);
  }

  /** Newest first, those after `before` in that order. */
  page(accountId: string, now: number, before: string | undefined, limit: number): Asset[] {
    return this.#page.all(accountId, now, before ?? '~', limit);
  }

  renew(id: string, expiresAt: number): void {
    this.#renew.run(expiresAt, id);
  }

  remove(id: string): void {
    this.#remove.run(id);
  }

  expired(now: number): Asset[] {
    return this.#expired.all(now);
  }

  files(): string[] {
    return this.#files.all();
  }

  totalBytes(): number {
    return this.#total.get() ?? 0;
  }
}
