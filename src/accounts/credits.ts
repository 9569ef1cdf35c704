import { ApiError } from '../errors.js';
import type { Store } from '../store/store.js';

/**
 * The only way credits move. Each method is one transaction; called inside `store.transaction` it becomes part of that
 * one, so that money and what it pays for are committed together. The database refuses a negative balance and a second
 * settlement by itself (migrations/state/001_accounts.sql).
 */
export class Credits {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  balance(accountId: string): number {
    const account = this.#store.accounts.get(accountId);
    if (!account) throw new Error(`no account ${accountId}`);
    return account.balance;
  }

  grant(accountId: string, credits: number, note: string): void {
    if (!Number.isSafeInteger(credits) || credits <= 0)
      throw new RangeError('a grant is a positive whole number of credits');
    this.#store.transaction(() => {
      const row = { accountId, amount: credits, credits, note };
      this.#store.ledger.append({ ...row, kind: 'grant', at: this.#now() });
    });
  }

  /**
   * Sets `credits` aside for `holder` (`request:<trace id>` or `job:<id>`) and returns the reservation's id.
   * Throws ApiError insufficient_credits and changes nothing when the balance is smaller.
   */
  reserve(accountId: string, credits: number, holder: string, endpoint: string): number {
    return this.#store.transaction(() => {
      const balance = this.balance(accountId);
      if (balance < credits) throw insufficientCredits(credits, balance);
      return this.#store.ledger.append({
        accountId,
        kind: 'reserve',
        amount: -credits,
        credits,
        holder,
        endpoint,
        at: this.#now(),
      });
    });
  }

  /** Settles a reservation for `credits`, by default all of it; what was reserved beyond returns to the balance. */
  charge(reservationId: number, credits?: number): void {
    this.#store.transaction(() => {
      const { accountId, credits: reserved, endpoint } = this.#open(reservationId);
      const used = credits ?? reserved;
      if (used < 0 || used > reserved) throw new RangeError('a charge is between 0 and what was reserved');
      const row = { accountId, amount: reserved - used, credits: used, reservation: reservationId, endpoint };
      this.#store.ledger.append({ ...row, kind: 'charge', at: this.#now() });
    });
  }

  /** Gives a reservation back whole. */
  release(reservationId: number): void {
    this.#store.transaction(() => {
      const { accountId, credits, endpoint } = this.#open(reservationId);
      const row = { accountId, amount: credits, credits, reservation: reservationId, endpoint };
      this.#store.ledger.append({ ...row, kind: 'release', at: this.#now() });
    });
  }

  /** Gives a charge back. */
  refund(reservationId: number, note: string): void {
    this.#store.transaction(() => {
      const reservation = this.#store.ledger.reservation(reservationId);
      const settled = this.#store.ledger.settlement(reservationId);
      if (!reservation || settled?.kind !== 'charge')
        throw new Error(`reservation ${reservationId} was not charged`);
      const { accountId, endpoint } = reservation;
      const row = {
        accountId,
        amount: settled.credits,
        credits: settled.credits,
        reservation: reservationId,
        endpoint,
      };
      this.#store.ledger.append({ ...row, kind: 'refund', note, at: this.#now() });
    });
  }

  /**
   * At start: requests that were running when the process died can no longer answer, so what they had reserved goes
   * back. Reservations of jobs stay; the jobs go on.
   */
  releaseAbandonedRequests(): number {
    return this.#store.transaction(() => {
      const open = this.#store.ledger.openReservations('request:');
      for (const { id } of open) this.release(id);
      return open.length;
    });
  }

  #open(reservationId: number) {
    const reservation = this.#store.ledger.reservation(reservationId);
    if (!reservation) throw new Error(`no reservation ${reservationId}`);
    return reservation;
  }
}

function insufficientCredits(cost: number, balance: number): ApiError {
  return new ApiError(
    'insufficient_credits',
    `This request costs ${cost} credits and the account has ${balance}. Add credits to the account and send it again.`,
    { details: { cost, balance } },
  );
}
