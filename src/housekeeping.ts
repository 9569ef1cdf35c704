import type { BaseLogger } from 'pino';
import type { Services } from './http/services.js';

const flushMs = 5000;
const sweepMs = 60_000;

/** What is done now and then while the service runs. Returns how to stop it, which does the last of it. */
export function startHousekeeping(services: Services, log: Pick<BaseLogger, 'error'>): () => void {
  const { config, store, usage, rates, assets, jobRetention, polls, webhooks } = services;
  const guarded = (what: string, work: () => void) => () => {
    try {
      work();
    } catch (error) {
      log.error({ err: error }, `${what} failed`);
    }
  };
  const flush = guarded('writing down counts', () => {
    usage.flush();
    store.transaction(() => store.rateCounts.replaceAll(rates.snapshot()));
  });
  const sweep = guarded('sweeping', () => {
    assets.sweep();
    jobRetention.sweep();
    polls.sweep();
    webhooks.sweep();
    store.results.evictTo(config.resultCacheMib * 2 ** 20);
  });
  rates.restore(store.rateCounts.list());
  sweep();
  const timers = [setInterval(flush, flushMs), setInterval(sweep, sweepMs)];
  for (const timer of timers) timer.unref();
  return () => {
    timers.forEach(clearInterval);
    flush();
  };
}
