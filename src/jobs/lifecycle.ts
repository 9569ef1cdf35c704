import { EventEmitter } from 'node:events';
import type { Credits } from '../accounts/credits.js';
import { purchaseHash } from './request-hash.js';
import type { Job, JobEnd } from '../store/jobs.js';
import type { JobFile } from '../store/job-files.js';
import type { Store } from '../store/store.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { JobFiles } from './files.js';
import type { JobStorage, WrittenFile } from './storage.js';
import { showResult } from './view.js';

/** A job is begun this often before a crash in it counts as its own fault. */
const maxAttempts = 3;
/** Files of results are kept for so long. */
const resultTtlMs = 24 * 3_600_000;

export interface JobError {
  code: string;
  message: string;
}

export const interrupted: JobError = {
  code: 'internal_error',
  message: `The job was interrupted ${maxAttempts} times by failures of the service and was given up. Nothing was billed.`,
};

/** A file of a result that is written and not yet part of it. */
export interface ResultFile {
  written: WrittenFile;
  about: Pick<JobFile, 'name' | 'contentType' | 'durationS'>;
}

interface Parts {
  store: Store;
  credits: Credits;
  webhooks: Webhooks;
  staging: JobStorage;
  files: JobFiles;
  now: () => number;
}

/**
 * Every change of a job's state, each one transaction with the credits it moves and the event it sends. A job ends once:
 * whatever else would end it finds that it has moved on.
 *
 * Emits `queued` when there may be something to run, `changed` for what a client can see, `ended` once the end is
 * committed, and `closing` when the service stops.
 */
export class JobLifecycle extends EventEmitter<{
  queued: [];
  changed: [string];
  ended: [string];
  closing: [];
}> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super();
    // One listener an open event stream.
    this.setMaxListeners(0);
    this.#parts = parts;
  }

  /** Begins the account's oldest job; undefined when it has none. */
  begin(accountId: string): Job | undefined {
    const { store, now } = this.#parts;
    const id = store.jobs.oldestQueued(accountId);
    const job = id === undefined ? undefined : store.jobs.start(id, now());
    if (job) this.emit('changed', job.id);
    return job;
  }

  /** False when the job had ended otherwise meanwhile; nothing is kept then. */
  complete(job: Job, result: object, files: ResultFile[]): boolean {
    const { store, now } = this.#parts;
    const finishedAt = now();
    const expiresAt = finishedAt + resultTtlMs;
    return this.#end(job, { result: JSON.stringify(result), finishedAt, expiresAt }, () => {
      for (const { written, about } of files) {
        const { file, byteLength, sha256 } = written;
        store.jobFiles.insert({ ...about, jobId: job.id, file, bytes: byteLength, sha256, expiresAt });
        written.keep();
      }
    });
  }

  /** False when the job had ended otherwise meanwhile. */
  fail(job: Job, error: JobError): boolean {
    return this.#end(job, { error, finishedAt: this.#parts.now() });
  }

  /** After a failure that was not the job's own: again, unless that has happened too often. */
  retry(job: Job): void {
    if (job.attempts >= maxAttempts) this.fail(job, interrupted);
    else this.#putBack(job, job.attempts);
  }

  /** Back into the queue as if it had never been begun: there was no capacity, or the service stops. */
  defer(job: Job): void {
    this.#putBack(job, job.attempts - 1);
  }

  /** At start: what was running when the process died. */
  recover(): void {
    for (const job of this.#parts.store.jobs.processing()) this.retry(job);
  }

  #putBack(job: Job, attempts: number): void {
    this.#parts.store.jobs.putBack(job.id, attempts);
    this.emit('changed', job.id);
    this.emit('queued');
  }

  #end(
    job: Job,
    outcome: { result?: string; error?: JobError; finishedAt: number; expiresAt?: number },
    also: () => void = () => {},
  ): boolean {
    const { store, staging } = this.#parts;
    const { result = null, error, finishedAt, expiresAt = null } = outcome;
    const ended = store.transaction(() => {
      const creditsUsed = error ? 0 : this.#price(job);
      const end: JobEnd = {
        status: error ? 'failed' : 'completed',
        creditsUsed,
        result,
        errorCode: error?.code ?? null,
        errorMessage: error?.message ?? null,
        finishedAt,
        expiresAt,
      };
      if (!store.jobs.end(job.id, job.attempts, end)) return false;
      also();
      this.#settle(job, error !== undefined, creditsUsed);
      this.#tell({ ...job, ...end });
      return true;
    });
    if (!ended) return false;
    if (job.stagedFile !== null) staging.remove(job.stagedFile);
    this.emit('changed', job.id);
    this.emit('ended', job.id);
    return true;
  }

  /** What an account has paid for once is free for it ever after. */
  #price(job: Job): number {
    return this.#parts.store.results.isPaid(job.accountId, purchaseHash(job)) ? 0 : job.creditsReserved;
  }

  #settle(job: Job, failed: boolean, creditsUsed: number): void {
    const { credits, store, now } = this.#parts;
    if (failed) credits.release(job.reservation);
    else {
      credits.charge(job.reservation, creditsUsed);
      store.results.markPaid(job.accountId, purchaseHash(job), now());
    }
  }

  #tell(job: Job): void {
    const { webhooks, files } = this.#parts;
    const data = {
      job_id: job.id,
      endpoint: `/v1/${job.kind}`,
      status: job.status,
      ...(job.status === 'completed'
        ? { result: showResult(job, files) }
        : { error: { code: job.errorCode, message: job.errorMessage } }),
      credits_used: job.creditsUsed,
      trace_id: job.traceId,
    };
    const type = job.status === 'completed' ? 'job.completed' : 'job.failed';
    webhooks.enqueue(job.accountId, type, job.id, data);
  }
}
