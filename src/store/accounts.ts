import type { SqliteDatabase } from './database.js';

export interface Account {
  id: string;
  name: string;
  balance: number;
  /** null: the configured default. */
  requestsPerMinute: number | null;
  /** null: the configured default. */
  concurrency: number | null;
  createdAt: number;
}

const columns = `id, name, balance, requests_per_minute AS requestsPerMinute, concurrency, created_at AS createdAt`;

export class AccountStore {
  readonly #insert;
  readonly #get;
  readonly #list;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare<[string, string, number | null, number | null, number]>(
      'INSERT INTO accounts (id, name, requests_per_minute, concurrency, created_at) VALUES (?, ?, ?, ?, ?)',
    );
    this.#get = db.prepare<[string], Account>(`SELECT ${columns} FROM accounts WHERE id = ?`);
    this.#list = db.prepare<[], Account>(`SELECT ${columns} FROM accounts ORDER BY id`);
  }

  insert(account: Omit<Account, 'balance'>): void {
    this.#insert.run(
      account.id,
      account.name,
      account.requestsPerMinute,
      account.concurrency,
      account.createdAt,
    );
  }

  get(id: string): Account | undefined {
    return this.#get.get(id);
  }

  list(): Account[] {
    return this.#list.all();
  }
}
