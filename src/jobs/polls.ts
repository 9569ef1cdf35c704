import { ApiError } from '../errors.js';

const minIntervalMs = 1000;
const firstDelayS = 2;
const longestDelayS = 15;
/** A job not polled for so long begins anew. */
const forgetAfterMs = 3_600_000;

/** How often each job is polled. */
export class Polls {
  readonly #polls = new Map<string, { at: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Seconds to wait before the next poll: 2, 3, … 15. Throws ApiError rate_limit_exceeded within a second of the last. */
  count(jobId: string): number {
    const now = this.#now();
    const last = this.#polls.get(jobId);
    // A clock set back must not lock anybody out.
    if (last && now >= last.at && now - last.at < minIntervalMs) {
      throw new ApiError(
        'rate_limit_exceeded',
        'A job may be polled once a second. Wait as long as Retry-After says, or follow its events.',
        { headers: { 'retry-after': '1' }, details: { limit: 1, window_s: 1 } },
      );
    }
    const count = (last?.count ?? 0) + 1;
    this.#polls.set(jobId, { at: now, count });
    return Math.min(firstDelayS + count - 1, longestDelayS);
  }

  sweep(): void {
    const oldest = this.#now() - forgetAfterMs;
    for (const [id, { at }] of this.#polls) if (at < oldest) this.#polls.delete(id);
  }
}
