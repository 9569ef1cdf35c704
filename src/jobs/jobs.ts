import { ulid } from 'ulid';
import type { Credits } from '../accounts/credits.js';
import type { Config } from '../config.js';
import { ApiError, serviceUnavailable } from '../errors.js';
import type { Job, JobFilter } from '../store/jobs.js';
import type { Store } from '../store/store.js';
import type { JobKind } from './definition.js';
import type { JobLifecycle } from './lifecycle.js';
import { purchaseHash, requestHash } from './request-hash.js';
import type { WrittenFile } from './storage.js';

/** The same key means the same submission for so long. */
export const idempotencyWindowMs = 24 * 3_600_000;

export interface Submission {
  accountId: string;
  kind: JobKind;
  /** Valid and complete: with the defaults filled in. */
  options: Record<string, unknown>;
  upload: WrittenFile;
  idempotencyKey: string | undefined;
  traceId: string;
}

/** What a caller can do with jobs. */
export class Jobs {
  readonly #config: Config;
  readonly #store: Store;
  readonly #credits: Credits;
  readonly #lifecycle: JobLifecycle;
  readonly #now: () => number;

  constructor(config: Config, store: Store, credits: Credits, lifecycle: JobLifecycle, now: () => number) {
    this.#config = config;
    this.#store = store;
    this.#credits = credits;
    this.#lifecycle = lifecycle;
    this.#now = now;
  }

  price(kind: JobKind): number {
    return this.#config.prices[kind.name] ?? kind.price;
  }

  /** Throws ApiError service_unavailable when as many jobs wait as may wait. */
  checkRoom(): void {
    const waiting = this.#store.jobs.queuedByKind().reduce((sum, { count }) => sum + count, 0);
    if (waiting >= this.#config.jobQueue)
      throw serviceUnavailable('The queue of jobs is full. Send the request again later.', 30);
  }

  /**
   * Commits a job, with its credits reserved; or finds the one that the same key made. The upload becomes the job's, or
   * is left to the caller to release. Throws ApiError idempotency_key_reused, service_unavailable or
   * insufficient_credits; then nothing has happened.
   */
  submit(submission: Submission): { job: Job; replayed: boolean } {
    const { accountId, kind, options, upload, idempotencyKey, traceId } = submission;
    const request = { kind: kind.name, options, audioSha256: upload.sha256 };
    const submitted = this.#store.transaction(() => {
      const known = this.#replay(accountId, idempotencyKey, requestHash(request));
      if (known) return { job: known, replayed: true };
      this.checkRoom();
      const createdAt = this.#now();
      const id = `job_${ulid(createdAt)}`;
      const isPaid = this.#store.results.isPaid(accountId, purchaseHash(request));
      const creditsReserved = isPaid ? 0 : this.price(kind);
      this.#store.jobs.insert({
        ...request,
        id,
        accountId,
        stagedFile: upload.file,
        stagedBytes: upload.byteLength,
        reservation: this.#credits.reserve(accountId, creditsReserved, `job:${id}`, `POST /v1/${kind.name}`),
        creditsReserved,
        traceId,
        createdAt,
      });
      if (idempotencyKey !== undefined) {
        const hash = requestHash(request);
        this.#store.idempotency.put({
          accountId,
          key: idempotencyKey,
          requestHash: hash,
          jobId: id,
          createdAt,
        });
      }
      return { job: this.#store.jobs.get(id)!, replayed: false };
    });
    if (!submitted.replayed) {
      upload.keep();
      this.#lifecycle.emit('queued');
    }
    return submitted;
  }

  /** Throws ApiError job_not_found, for another account's as for none. */
  get(accountId: string, id: string): Job {
    const job = this.#store.jobs.get(id);
    if (job?.accountId === accountId) return job;
    throw new ApiError(
      'job_not_found',
      'There is no such job. Check its id, and that the key is of its account.',
      {
        param: 'job_id',
      },
    );
  }

  list(accountId: string, filter: JobFilter, before: string | undefined, limit: number): Job[] {
    return this.#store.jobs.page(accountId, filter, before, limit);
  }

  /** Ends a job that has not ended as `failed`/`canceled`. Throws ApiError job_not_found or job_not_cancelable. */
  cancel(accountId: string, id: string): Job {
    const job = this.get(accountId, id);
    const message = 'The job was canceled. Nothing was billed.';
    if (!this.#lifecycle.fail(job, { code: 'canceled', message })) {
      throw new ApiError('job_not_cancelable', `The job has ended already: it is ${job.status}.`, {
        details: { status: job.status },
      });
    }
    return this.get(accountId, id);
  }

  #replay(accountId: string, key: string | undefined, hash: Buffer): Job | undefined {
    if (key === undefined) return undefined;
    const known = this.#store.idempotency.get(accountId, key);
    if (!known || known.createdAt + idempotencyWindowMs <= this.#now()) return undefined;
    if (!known.requestHash.equals(hash)) {
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request within the last 24 hours. Use a new key for each job, and the same for each repeat of one.',
        { param: 'Idempotency-Key', details: { job_id: known.jobId } },
      );
    }
    return this.#store.jobs.get(known.jobId);
  }
}
