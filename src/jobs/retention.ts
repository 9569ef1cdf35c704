import type { Store } from '../store/store.js';
import { idempotencyWindowMs } from './jobs.js';
import type { JobLifecycle } from './lifecycle.js';
import type { JobStorage } from './storage.js';

const hourMs = 3_600_000;
/** No upload is kept longer, whatever becomes of its job. */
const stagedTtlMs = hourMs;
/** How long a job can be asked for once it has ended. */
const jobTtlMs = 30 * 24 * hourMs;

const tooLate = {
  code: 'service_unavailable',
  message:
    'The job could not be started within an hour, for lack of capacity. Nothing was billed; submit it again.',
};

/** Removes what has had its time: uploads, result files, idempotency keys, old jobs; and files that a crash left. */
export class JobRetention {
  readonly #store: Store;
  readonly #lifecycle: JobLifecycle;
  readonly #staging: JobStorage;
  readonly #results: JobStorage;
  readonly #now: () => number;

  constructor(
    store: Store,
    lifecycle: JobLifecycle,
    staging: JobStorage,
    results: JobStorage,
    now: () => number,
  ) {
    this.#store = store;
    this.#lifecycle = lifecycle;
    this.#staging = staging;
    this.#results = results;
    this.#now = now;
  }

  sweep(): void {
    const now = this.#now();
    for (const job of this.#store.jobs.stagedBefore(now - stagedTtlMs)) {
      if (job.status === 'queued') this.#lifecycle.fail(job, tooLate);
      else if (job.stagedFile !== null) {
        // It runs, and has read its upload long ago.
        this.#store.jobs.forgetStaged(job.id);
        this.#staging.remove(job.stagedFile);
      }
    }
    for (const file of this.#store.jobFiles.expired(now)) {
      this.#store.jobFiles.remove(file);
      this.#results.remove(file.file);
    }
    this.#store.idempotency.purge(now - idempotencyWindowMs);
    this.#store.jobs.purge(now - jobTtlMs);
    this.#staging.sweep(this.#store.jobs.stagedFiles());
    this.#results.sweep(this.#store.jobFiles.files());
  }
}
