import type { SqliteDatabase } from './database.js';

export const jobStatuses = ['queued', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export interface Job {
  id: string;
  accountId: string;
  kind: string;
  options: Record<string, unknown>;
  audioSha256: Buffer;
  /** Name in the staging store; null once the upload is gone. */
  stagedFile: string | null;
  stagedBytes: number;
  status: JobStatus;
  /** Times it was begun. */
  attempts: number;
  reservation: number;
  creditsReserved: number;
  creditsUsed: number | null;
  /** JSON text. */
  result: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  traceId: string;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number | null;
}

export type NewJob = Pick<
  Job,
  | 'id'
  | 'accountId'
  | 'kind'
  | 'options'
  | 'audioSha256'
  | 'stagedBytes'
  | 'reservation'
  | 'creditsReserved'
  | 'traceId'
  | 'createdAt'
> & { stagedFile: string };

/** How a job ends. */
export interface JobEnd {
  status: 'completed' | 'failed';
  creditsUsed: number;
  result: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  finishedAt: number;
  expiresAt: number | null;
}

export interface JobFilter {
  status?: JobStatus | undefined;
  kind?: string | undefined;
}

type Row = Omit<Job, 'options'> & { options: string };

const columns = `id, account_id AS accountId, kind, options, audio_sha256 AS audioSha256, staged_file AS stagedFile,
  staged_bytes AS stagedBytes, status, attempts, reservation, credits_reserved AS creditsReserved,
  credits_used AS creditsUsed, result, error_code AS errorCode, error_message AS errorMessage, trace_id AS traceId,
  created_at AS createdAt, started_at AS startedAt, finished_at AS finishedAt, expires_at AS expiresAt`;

/** The queue and the history of jobs. What credits and events go with a change is the business of jobs/lifecycle.ts. */
export class JobStore {
  readonly #insert;
  readonly #get;
  readonly #page;
  readonly #queuedAccounts;
  readonly #oldestQueued;
  readonly #start;
  readonly #putBack;
  readonly #end;
  readonly #processing;
  readonly #queuedByKind;
  readonly #meanDuration;
  readonly #staged;
  readonly #stagedBefore;
  readonly #forgetStaged;
  readonly #purge;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare(
      `INSERT INTO jobs (id, account_id, kind, options, audio_sha256, staged_file, staged_bytes, status, reservation,
         credits_reserved, trace_id, created_at)
       VALUES (@id, @accountId, @kind, @options, @audioSha256, @stagedFile, @stagedBytes, 'queued', @reservation,
         @creditsReserved, @traceId, @createdAt)`,
    );
    this.#get = db.prepare<[string], Row>(`SELECT ${columns} FROM jobs WHERE id = ?`);
    this.#page = db.prepare<[Record<string, unknown>], Row>(
      `SELECT ${columns} FROM jobs WHERE account_id = @accountId AND id < @before
         AND (@status IS NULL OR status = @status) AND (@kind IS NULL OR kind = @kind)
       ORDER BY id DESC LIMIT @limit`,
    );
    // One look into the index an account, however many jobs it has waiting.
    this.#queuedAccounts = db
      .prepare<[], string>(
        `WITH RECURSIVE waiting (id) AS (
           SELECT min(account_id) FROM jobs WHERE status = 'queued'
           UNION ALL
           SELECT (SELECT min(account_id) FROM jobs WHERE status = 'queued' AND account_id > waiting.id)
           FROM waiting WHERE waiting.id IS NOT NULL)
         SELECT id FROM waiting WHERE id IS NOT NULL`,
      )
      .pluck();
    this.#oldestQueued = db
      .prepare<[string], string>(
        `SELECT id FROM jobs WHERE status = 'queued' AND account_id = ? ORDER BY id LIMIT 1`,
      )
      .pluck();
    this.#start = db.prepare<[number, string], Row>(
      `UPDATE jobs SET status = 'processing', attempts = attempts + 1, started_at = ?
       WHERE id = ? AND status = 'queued' RETURNING ${columns}`,
    );
    this.#putBack = db.prepare<[number, string]>(
      `UPDATE jobs SET status = 'queued', attempts = ? WHERE id = ? AND status = 'processing'`,
    );
    this.#end = db.prepare(
      `UPDATE jobs SET status = @status, credits_used = @creditsUsed, result = @result, error_code = @errorCode,
         error_message = @errorMessage, finished_at = @finishedAt, expires_at = @expiresAt, staged_file = NULL
       WHERE id = @id AND attempts = @attempts AND status IN ('queued', 'processing')`,
    );
    this.#processing = db.prepare<[], Row>(
      `SELECT ${columns} FROM jobs WHERE status = 'processing' ORDER BY id`,
    );
    this.#queuedByKind = db.prepare<[], { kind: string; count: number }>(
      `SELECT kind, count(*) AS count FROM jobs WHERE status = 'queued' GROUP BY kind`,
    );
    this.#meanDuration = db
      .prepare<[string, number], number | null>(
        `SELECT avg(ms) FROM (SELECT finished_at - started_at AS ms FROM jobs
           WHERE status = 'completed' AND kind = ? ORDER BY finished_at DESC LIMIT ?)`,
      )
      .pluck();
    this.#staged = db
      .prepare<[], string>('SELECT staged_file FROM jobs WHERE staged_file IS NOT NULL')
      .pluck();
    this.#stagedBefore = db.prepare<[number], Row>(
      `SELECT ${columns} FROM jobs WHERE staged_file IS NOT NULL AND created_at <= ? ORDER BY created_at`,
    );
    this.#forgetStaged = db.prepare<[string]>('UPDATE jobs SET staged_file = NULL WHERE id = ?');
    this.#purge = db.prepare<[number]>('DELETE FROM jobs WHERE finished_at <= ?');
  }

  insert(job: NewJob): void {
    this.#insert.run({ ...job, options: JSON.stringify(job.options) });
  }

  get(id: string): Job | undefined {
    return fromRow(this.#get.get(id));
  }

  /** Newest first, those after `before` in that order. */
  page(accountId: string, filter: JobFilter, before: string | undefined, limit: number): Job[] {
    const { status = null, kind = null } = filter;
    return this.#page
      .all({ accountId, status, kind, before: before ?? '~', limit })
      .map((row) => fromRow(row));
  }

  /** Accounts with jobs that wait. */
  queuedAccounts(): string[] {
    return this.#queuedAccounts.all();
  }

  /** Id of the account's job that has waited longest. */
  oldestQueued(accountId: string): string | undefined {
    return this.#oldestQueued.get(accountId);
  }

  /** From queued to processing; undefined when it is queued no more. */
  start(id: string, at: number): Job | undefined {
    return fromRow(this.#start.get(at, id));
  }

  /** From processing to queued, as if begun `attempts` times. */
  putBack(id: string, attempts: number): void {
    this.#putBack.run(attempts, id);
  }

  /** Ends a job that is still at the given attempt; false when it has moved on, or ended before. */
  end(id: string, attempts: number, end: JobEnd): boolean {
    return this.#end.run({ ...end, id, attempts }).changes === 1;
  }

  processing(): Job[] {
    return this.#processing.all().map((row) => fromRow(row));
  }

  queuedByKind(): { kind: string; count: number }[] {
    return this.#queuedByKind.all();
  }

  /** Of the last `count` that were completed, from start to end; undefined when there is none. */
  meanDurationMs(kind: string, count: number): number | undefined {
    return this.#meanDuration.get(kind, count) ?? undefined;
  }

  stagedFiles(): string[] {
    return this.#staged.all();
  }

  /** Jobs made by then whose upload is still there. */
  stagedBefore(at: number): Job[] {
    return this.#stagedBefore.all(at).map((row) => fromRow(row));
  }

  forgetStaged(id: string): void {
    this.#forgetStaged.run(id);
  }

  /** Forgets jobs that had ended by `at`. */
  purge(at: number): void {
    this.#purge.run(at);
  }
}

function fromRow(row: Row): Job;
function fromRow(row: Row | undefined): Job | undefined;
function fromRow(row: Row | undefined): Job | undefined {
  return row && { ...row, options: JSON.parse(row.options) as Record<string, unknown> };
}
