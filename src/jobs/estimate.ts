import type { Job } from '../store/jobs.js';
import type { Store } from '../store/store.js';
import type { JobKind } from './definition.js';

/** So many of the last jobs of a kind say how long the next one takes. */
const historyLength = 50;

/** When jobs will be done: from what their kind has taken lately, and what waits before them. */
export class Estimate {
  readonly #store: Store;
  readonly #kinds: readonly JobKind[];
  readonly #workers: number;

  constructor(store: Store, kinds: readonly JobKind[], workers: number) {
    this.#store = store;
    this.#kinds = kinds;
    this.#workers = workers;
  }

  /** Unix milliseconds. Whoever waits is taken to wait for all that wait, which is the longest it can be. */
  completionOf(job: Pick<Job, 'kind' | 'status' | 'startedAt'>, now: number): number {
    const ownMs = this.#durationMs(job.kind);
    if (job.status === 'processing') return Math.max((job.startedAt ?? now) + ownMs, now + 1000);
    const waiting = this.#store.jobs.queuedByKind();
    const totalMs = waiting.reduce((sum, { kind, count }) => sum + count * this.#durationMs(kind), 0);
    // The job itself is among those that wait.
    const aheadMs = Math.max(totalMs - ownMs, 0) / this.#workers;
    return Math.round(now + aheadMs + ownMs);
  }

  #durationMs(name: string): number {
    const typicalS = this.#kinds.find((kind) => kind.name === name)?.typicalS ?? 0;
    return this.#store.jobs.meanDurationMs(name, historyLength) ?? typicalS * 1000;
  }
}
