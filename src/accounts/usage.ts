import type { Store } from '../store/store.js';
import type { UsageCount } from '../store/usage.js';

/**
 * Counts requests in memory and writes them down now and then, so that a lookup is not a write. A crash loses at most
 * the last few seconds of counts; credits are in the ledger and lose nothing.
 */
export class UsageCounter {
  readonly #store: Store;
  #counts = new Map<string, UsageCount>();

  constructor(store: Store) {
    this.#store = store;
  }

  count(
    accountId: string,
    endpoint: string,
    outcome: { cacheHit: boolean; error: boolean },
    at = Date.now(),
  ): void {
    const day = new Date(at).toISOString().slice(0, 10);
    const id = `${accountId} ${day} ${endpoint}`;
    let count = this.#counts.get(id);
    if (!count) {
      count = { accountId, day, endpoint, requests: 0, cacheHits: 0, errors: 0 };
      this.#counts.set(id, count);
    }
    count.requests++;
    if (outcome.cacheHit) count.cacheHits++;
    if (outcome.error) count.errors++;
  }

  flush(): void {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    this.#store.transaction(() => {
      for (const count of counts.values()) this.#store.usage.add(count);
    });
  }
}
