import type { SqliteDatabase } from './database.js';

export interface WebhookEndpoint {
  accountId: string;
  url: string;
  secret: string;
  previousSecret: string | null;
  previousUntil: number | null;
  /** Failed deliveries since the last that succeeded. */
  failuresInARow: number;
  /** null: enabled. */
  disabledAt: number | null;
  updatedAt: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'skipped';

export interface Delivery {
  id: string;
  accountId: string;
  type: string;
  jobId: string | null;
  body: string;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: number | null;
  createdAt: number;
}

export interface Attempt {
  accountId: string;
  deliveryId: string;
  attempt: number;
  outcome: 'delivered' | 'failed' | 'skipped';
  url: string;
  requestBody: string;
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number | null;
  at: number;
}

/** The log keeps this many attempts an account. */
const keptAttempts = 20;

const endpointColumns = `account_id AS accountId, url, secret, previous_secret AS previousSecret,
  previous_until AS previousUntil, failures_in_a_row AS failuresInARow, disabled_at AS disabledAt, updated_at AS updatedAt`;
const deliveryColumns = `id, account_id AS accountId, type, job_id AS jobId, body, status, attempts,
  next_attempt_at AS nextAttemptAt, created_at AS createdAt`;

/** Receivers, deliveries and the log of attempts. */
export class WebhookStore {
  readonly #endpoint;
  readonly #putEndpoint;
  readonly #removeEndpoint;
  readonly #insertDelivery;
  readonly #delivery;
  readonly #updateDelivery;
  readonly #dueAccounts;
  readonly #due;
  readonly #ofJob;
  readonly #unsent;
  readonly #bringForward;
  readonly #nextDue;
  readonly #skipPending;
  readonly #insertAttempt;
  readonly #trimAttempts;
  readonly #attempts;
  readonly #purge;

  constructor(db: SqliteDatabase) {
    this.#endpoint = db.prepare<[string], WebhookEndpoint>(
      `SELECT ${endpointColumns} FROM webhook_endpoints WHERE account_id = ?`,
    );
    this.#putEndpoint = db.prepare(
      `INSERT OR REPLACE INTO webhook_endpoints
         (account_id, url, secret, previous_secret, previous_until, failures_in_a_row, disabled_at, updated_at)
       VALUES (@accountId, @url, @secret, @previousSecret, @previousUntil, @failuresInARow, @disabledAt, @updatedAt)`,
    );
    this.#removeEndpoint = db.prepare<[string]>('DELETE FROM webhook_endpoints WHERE account_id = ?');
    this.#insertDelivery = db.prepare(
      `INSERT OR IGNORE INTO webhook_deliveries
         (id, account_id, type, job_id, body, status, attempts, next_attempt_at, created_at)
       VALUES (@id, @accountId, @type, @jobId, @body, @status, @attempts, @nextAttemptAt, @createdAt)`,
    );
    this.#delivery = db.prepare<[string], Delivery>(
      `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE id = ?`,
    );
    this.#ofJob = db.prepare<[string], Delivery>(
      `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE job_id = ?`,
    );
    this.#unsent = db
      .prepare<[string], string>(
        `SELECT id FROM webhook_deliveries WHERE account_id = ? AND status IN ('failed', 'skipped') ORDER BY id`,
      )
      .pluck();
    this.#updateDelivery = db.prepare(
      `UPDATE webhook_deliveries SET status = @status, attempts = @attempts, next_attempt_at = @nextAttemptAt WHERE id = @id`,
    );
    // One look into the index a receiver, however many events wait for it.
    const enabled = 'FROM webhook_endpoints AS e WHERE e.disabled_at IS NULL';
    const pending = "FROM webhook_deliveries WHERE status = 'pending' AND account_id = e.account_id";
    this.#dueAccounts = db
      .prepare<[number], string>(
        `SELECT e.account_id ${enabled} AND EXISTS (SELECT 1 ${pending} AND next_attempt_at <= ?)`,
      )
      .pluck();
    this.#due = db.prepare<[string, number, number], Delivery>(
      `SELECT ${deliveryColumns} FROM webhook_deliveries
       WHERE status = 'pending' AND account_id = ? AND next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`,
    );
    this.#nextDue = db
      .prepare<[number], number | null>(
        `SELECT min((SELECT min(next_attempt_at) ${pending} AND next_attempt_at > ?)) ${enabled}`,
      )
      .pluck();
    this.#skipPending = db.prepare<[string]>(
      `UPDATE webhook_deliveries SET status = 'skipped', next_attempt_at = NULL
       WHERE status = 'pending' AND account_id = ?`,
    );
    this.#bringForward = db.prepare<[number, number, number]>(
      `UPDATE webhook_deliveries SET next_attempt_at = ? WHERE status = 'pending' AND attempts = ? AND next_attempt_at > ?`,
    );
    this.#insertAttempt = db.prepare(
      `INSERT INTO webhook_attempts (account_id, delivery_id, attempt, outcome, url, request_body, status_code,
         response_body, error, duration_ms, at)
       VALUES (@accountId, @deliveryId, @attempt, @outcome, @url, @requestBody, @statusCode, @responseBody, @error,
         @durationMs, @at)`,
    );
    this.#trimAttempts = db.prepare<[string, string, number]>(
      `DELETE FROM webhook_attempts WHERE account_id = ? AND id <=
         (SELECT id FROM webhook_attempts WHERE account_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    );
    this.#attempts = db.prepare<[string], Attempt & { id: number }>(
      `SELECT id, account_id AS accountId, delivery_id AS deliveryId, attempt, outcome, url, request_body AS requestBody,
         status_code AS statusCode, response_body AS responseBody, error, duration_ms AS durationMs, at
       FROM webhook_attempts WHERE account_id = ? ORDER BY id DESC`,
    );
    this.#purge = db.prepare<[number]>(
      `DELETE FROM webhook_deliveries WHERE status <> 'pending' AND created_at < ?`,
    );
  }

  endpoint(accountId: string): WebhookEndpoint | undefined {
    return this.#endpoint.get(accountId);
  }

  putEndpoint(endpoint: WebhookEndpoint): void {
    this.#putEndpoint.run(endpoint);
  }

  removeEndpoint(accountId: string): boolean {
    return this.#removeEndpoint.run(accountId).changes === 1;
  }

  /** Does nothing when the job has an event already. */
  insertDelivery(delivery: Delivery): void {
    this.#insertDelivery.run(delivery);
  }

  delivery(id: string): Delivery | undefined {
    return this.#delivery.get(id);
  }

  /** Of the end of a job; undefined when there was no receiver. */
  deliveryOfJob(jobId: string): Delivery | undefined {
    return this.#ofJob.get(jobId);
  }

  /** Ids of the deliveries that failed or were skipped, oldest first. */
  unsent(accountId: string): string[] {
    return this.#unsent.all(accountId);
  }

  updateDelivery(delivery: Pick<Delivery, 'id' | 'status' | 'attempts' | 'nextAttemptAt'>): void {
    const { id, status, attempts, nextAttemptAt } = delivery;
    this.#updateDelivery.run({ id, status, attempts, nextAttemptAt });
  }

  /** Accounts with an enabled receiver and something to send it now. */
  dueAccounts(now: number): string[] {
    return this.#dueAccounts.all(now);
  }

  /** The account's pending deliveries whose time has come, longest waiting first. */
  due(accountId: string, now: number, limit: number): Delivery[] {
    return this.#due.all(accountId, now, limit);
  }

  /** Deliveries with so many attempts behind them wait until `latest` at most, whatever the clock said before. */
  bringForward(attempts: number, latest: number): void {
    this.#bringForward.run(latest, attempts, latest);
  }

  /** When, later than `now`, the next pending delivery of an enabled receiver is due; undefined when there is none. */
  nextDueAt(now: number): number | undefined {
    return this.#nextDue.get(now) ?? undefined;
  }

  /** What waits for a receiver that is no more. */
  skipPending(accountId: string): void {
    this.#skipPending.run(accountId);
  }

  /** Adds to the log, which keeps an account's 20 newest attempts. */
  logAttempt(attempt: Attempt): void {
    this.#insertAttempt.run(attempt);
    this.#trimAttempts.run(attempt.accountId, attempt.accountId, keptAttempts);
  }

  /** Newest first. */
  attempts(accountId: string): (Attempt & { id: number })[] {
    return this.#attempts.all(accountId);
  }

  /** Forgets ended deliveries made before `before`. */
  purge(before: number): void {
    this.#purge.run(before);
  }
}
