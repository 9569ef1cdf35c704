import { Assets } from '../accounts/assets.js';
import { Credits } from '../accounts/credits.js';
import { Keys } from '../accounts/keys.js';
import { ConcurrencyLimiter, RateLimiter } from '../accounts/rate-limit.js';
import { UsageCounter } from '../accounts/usage.js';
import { AnalysisService, type Analyzer } from '../analyses/service.js';
import { TrackFinder } from '../catalog/find.js';
import { Lookups } from '../catalog/lookup.js';
import type { Config } from '../config.js';
import type { EngineStatus } from '../engine/engine-process.js';
import { createJobs, type JobOverrides, type JobServices } from '../jobs/create.js';
import { FileStore } from '../store/files.js';
import type { Store } from '../store/store.js';
import { IdempotencyGuard } from './idempotency.js';
import { Metrics } from './metrics.js';
import { UploadMemory } from './upload-memory.js';

export interface Engine extends Analyzer {
  status(): EngineStatus;
}

/** What routes work with. */
export interface Services extends JobServices {
  config: Config;
  store: Store;
  engine: Engine;
  credits: Credits;
  keys: Keys;
  assets: Assets;
  analysis: AnalysisService;
  finder: TrackFinder;
  lookups: Lookups;
  rates: RateLimiter;
  concurrency: ConcurrencyLimiter;
  idempotency: IdempotencyGuard;
  uploadMemory: UploadMemory;
  usage: UsageCounter;
  metrics: Metrics;
}

export function createServices(
  config: Config,
  store: Store,
  engine: Engine,
  overrides?: JobOverrides,
): Services {
  const credits = new Credits(store);
  const uploadMemory = new UploadMemory(config.uploadMemoryMib * 2 ** 20);
  return {
    config,
    store,
    engine,
    credits,
    keys: new Keys(store),
    assets: new Assets(config, store, new FileStore(config.dataDir, 'assets')),
    analysis: new AnalysisService(config, store, credits, engine),
    finder: new TrackFinder(store.catalog),
    lookups: new Lookups(config, store.catalog, credits, engine),
    rates: new RateLimiter(),
    concurrency: new ConcurrencyLimiter(),
    idempotency: new IdempotencyGuard(),
    ...createJobs(config, store, credits, engine, overrides),
    uploadMemory,
    usage: new UsageCounter(store),
    metrics: new Metrics(engine, uploadMemory),
  };
}
