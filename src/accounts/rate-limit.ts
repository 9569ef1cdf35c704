/** A quota's state after a request was counted or refused. */
export interface RateState {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until one more request fits (when refused), else until the oldest counted one leaves the window. */
  resetS: number;
}

const windowS = 60;

interface Window {
  /** Requests in each of the last 60 seconds; the slot of a second is its number modulo 60. */
  counts: Uint32Array;
  /** The newest second counted. */
  second: number;
  total: number;
}

/** Requests a minute over a window that slides by the second, in memory. */
export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts one request of `id` unless `limit` of them lie within the last minute. */
  hit(id: string, limit: number): RateState {
    const second = Math.floor(this.#now() / 1000);
    const window = this.#slide(id, second);
    const allowed = window.total < limit;
    if (allowed) {
      const slot = second % windowS;
      window.counts[slot] = (window.counts[slot] ?? 0) + 1;
      window.total++;
    }
    return { allowed, limit, remaining: Math.max(0, limit - window.total), resetS: resetOf(window, second) };
  }

  /** Forgets ids without a request in the window. */
  sweep(): void {
    const second = Math.floor(this.#now() / 1000);
    for (const [id, window] of this.#windows) {
      if (second - window.second >= windowS) this.#windows.delete(id);
    }
  }

  /** Counts that still matter, to be kept across a restart. */
  snapshot(): { id: string; second: number; count: number }[] {
    this.sweep();
    const oldest = Math.floor(this.#now() / 1000) - windowS;
    const rows = [];
    for (const [id, window] of this.#windows) {
      for (let second = window.second; second > Math.max(oldest, window.second - windowS); second--) {
        const count = window.counts[second % windowS] ?? 0;
        if (count > 0) rows.push({ id, second, count });
      }
    }
    return rows;
  }

  restore(rows: { id: string; second: number; count: number }[]): void {
    for (const { id, second, count } of rows.toSorted((a, b) => a.second - b.second)) {
      const window = this.#slide(id, second);
      const slot = second % windowS;
      window.counts[slot] = (window.counts[slot] ?? 0) + count;
      window.total += count;
    }
  }

  #slide(id: string, second: number): Window {
    let window = this.#windows.get(id);
    if (!window) {
      window = { counts: new Uint32Array(windowS), second, total: 0 };
      this.#windows.set(id, window);
    }
    const steps = Math.min(second - window.second, windowS);
    for (let i = 1; i <= steps; i++) {
      const slot = (window.second + i) % windowS;
      window.total -= window.counts[slot] ?? 0;
      window.counts[slot] = 0;
    }
    // A clock that was set back counts into the newest second.
    window.second = Math.max(window.second, second);
    return window;
  }
}

function resetOf(window: Window, second: number): number {
  for (let age = windowS - 1; age >= 0; age--) {
    if ((window.counts[(second - age + windowS * 2) % windowS] ?? 0) > 0) return windowS - age;
  }
  return windowS;
}

/** How many requests of an id run at the same time. */
export class ConcurrencyLimiter {
  readonly #running = new Map<string, number>();

  /** The function that ends it, or undefined when `limit` are running. */
  enter(id: string, limit: number): (() => void) | undefined {
    const running = this.#running.get(id) ?? 0;
    if (running >= limit) return undefined;
    this.#running.set(id, running + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const now = (this.#running.get(id) ?? 1) - 1;
      if (now === 0) this.#running.delete(id);
      else this.#running.set(id, now);
    };
  }
}
