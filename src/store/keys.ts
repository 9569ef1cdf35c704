import type { SqliteDatabase } from './database.js';

export type KeyMode = 'live' | 'test';

export interface ApiKey {
  id: string;
  accountId: string;
  name: string;
  mode: KeyMode;
  hint: string;
  /** null: all scopes. */
  scopes: string[] | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

type Row = Omit<ApiKey, 'scopes'> & { scopes: string | null };

const columns = `id, account_id AS accountId, name, mode, hint, scopes, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt`;

export class KeyStore {
  readonly #insert;
  readonly #byHash;
  readonly #get;
  readonly #list;
  readonly #revoke;
  readonly #expire;
  readonly #touch;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare(
      `INSERT INTO api_keys (id, account_id, name, mode, hash, hint, scopes, created_at, expires_at)
       VALUES (@id, @accountId, @name, @mode, @hash, @hint, @scopes, @createdAt, @expiresAt)`,
    );
    this.#byHash = db.prepare<[Buffer], Row & { hash: Buffer }>(
      `SELECT ${columns}, hash FROM api_keys WHERE hash = ?`,
    );
    this.#get = db.prepare<[string], Row>(`SELECT ${columns} FROM api_keys WHERE id = ?`);
    this.#list = db.prepare<[string], Row>(
      `SELECT ${columns} FROM api_keys WHERE account_id = ? ORDER BY id`,
    );
    this.#revoke = db.prepare<[number, string]>(
      'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
    );
    this.#expire = db.prepare<[number, string]>(
      'UPDATE api_keys SET expires_at = min(coalesce(expires_at, 9e15), ?) WHERE id = ?',
    );
    this.#touch = db.prepare<[number, string]>('UPDATE api_keys SET last_used_at = ? WHERE id = ?');
  }

  insert(key: Omit<ApiKey, 'revokedAt' | 'lastUsedAt'>, hash: Buffer): void {
    this.#insert.run({ ...key, hash, scopes: key.scopes && JSON.stringify(key.scopes) });
  }

  /** The key and its stored hash, for the caller to compare in constant time. */
  findByHash(hash: Buffer): { key: ApiKey; hash: Buffer } | undefined {
    const row = this.#byHash.get(hash);
    if (!row) return undefined;
    const { hash: stored, ...key } = row;
    return { key: fromRow(key), hash: stored };
  }

  get(id: string): ApiKey | undefined {
    const row = this.#get.get(id);
    return row && fromRow(row);
  }

  listByAccount(accountId: string): ApiKey[] {
    return this.#list.all(accountId).map(fromRow);
  }

  /** False when there is no such key or it was revoked before. */
  revoke(id: string, at: number): boolean {
    return this.#revoke.run(at, id).changes === 1;
  }

  /** Brings the end of the key's life forward to `at`; never puts it off. */
  expireBy(id: string, at: number): void {
    this.#expire.run(at, id);
  }

  touch(id: string, at: number): void {
    this.#touch.run(at, id);
  }
}

function fromRow(row: Row): ApiKey {
  return { ...row, scopes: row.scopes === null ? null : (JSON.parse(row.scopes) as string[]) };
}
