import type { SqliteDatabase } from './database.js';

export interface Reservation {
  id: number;
  accountId: string;
  credits: number;
  holder: string;
  endpoint: string | null;
}

export interface DailyCredits {
  day: string;
  endpoint: string;
  credits: number;
}

type Kind = 'grant' | 'reserve' | 'charge' | 'release' | 'refund';

interface Row {
  accountId: string;
  kind: Kind;
  amount: number;
  credits: number;
  reservation?: number;
  holder?: string;
  endpoint?: string | null;
  note?: string;
  at: number;
}

/** Rows of the ledger. What makes sense in which order is the business of accounts/credits.ts. */
export class LedgerStore {
  readonly #insert;
  readonly #openByHolderPrefix;
  readonly #reservation;
  readonly #settled;
  readonly #sum;
  readonly #byDay;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare(
      `INSERT INTO ledger (account_id, kind, amount, credits, reservation, holder, endpoint, note, created_at)
       VALUES (@accountId, @kind, @amount, @credits, @reservation, @holder, @endpoint, @note, @at)`,
    );
    const reservation = `SELECT id, account_id AS accountId, credits, holder, endpoint FROM ledger AS r WHERE kind = 'reserve'`;
    this.#reservation = db.prepare<[number], Reservation>(`${reservation} AND id = ?`);
    this.#openByHolderPrefix = db.prepare<[string, string], Reservation>(
      `${reservation} AND holder >= ? AND holder < ? AND NOT EXISTS
         (SELECT 1 FROM ledger AS s WHERE s.reservation = r.id AND s.kind IN ('charge', 'release'))`,
    );
    this.#settled = db.prepare<[number], { kind: Kind; credits: number }>(
      `SELECT kind, credits FROM ledger WHERE reservation = ? AND kind IN ('charge', 'release')`,
    );
    this.#sum = db
      .prepare<[string], number>('SELECT coalesce(sum(amount), 0) FROM ledger WHERE account_id = ?')
      .pluck();
    this.#byDay = db.prepare<[string, number, number], DailyCredits>(
      `SELECT strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') AS day, endpoint,
              sum(CASE kind WHEN 'charge' THEN credits ELSE -credits END) AS credits
       FROM ledger WHERE account_id = ? AND created_at >= ? AND created_at < ? AND kind IN ('charge', 'refund')
       GROUP BY 1, 2`,
    );
  }

  append(row: Row): number {
    const filled = { reservation: null, holder: null, endpoint: null, note: null, ...row };
    return Number(this.#insert.run(filled).lastInsertRowid);
  }

  reservation(id: number): Reservation | undefined {
    return this.#reservation.get(id);
  }

  /** How the reservation ended; undefined while it is open. */
  settlement(id: number): { kind: Kind; credits: number } | undefined {
    return this.#settled.get(id);
  }

  /** Reservations neither charged nor released, of holders such as `request:…` or `job:…`. */
  openReservations(holderPrefix: string): Reservation[] {
    return this.#openByHolderPrefix.all(holderPrefix, `${holderPrefix}\u{10ffff}`);
  }

  sum(accountId: string): number {
    return this.#sum.get(accountId) ?? 0;
  }

  creditsByDay(accountId: string, from: number, to: number): DailyCredits[] {
    return this.#byDay.all(accountId, from, to);
  }
}
