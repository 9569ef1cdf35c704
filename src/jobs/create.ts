import type { Credits } from '../accounts/credits.js';
import type { Analyzer } from '../analyses/service.js';
import type { Config } from '../config.js';
import { FileStore } from '../store/files.js';
import type { Store } from '../store/store.js';
import { WebhookDispatcher } from '../webhooks/dispatcher.js';
import { Webhooks } from '../webhooks/webhooks.js';
import type { JobKind } from './definition.js';
import { DiskQuota } from './disk-quota.js';
import { Estimate } from './estimate.js';
import { type Address, JobFiles } from './files.js';
import { jobKinds } from './index.js';
import { Jobs } from './jobs.js';
import { JobLifecycle } from './lifecycle.js';
import { Polls } from './polls.js';
import { JobRetention } from './retention.js';
import { JobRunner } from './runner.js';
import { JobStorage } from './storage.js';

/** What tests put in place of the real ones. */
export interface JobOverrides {
  kinds?: readonly JobKind[];
  now?: () => number;
  webhookDelaysMs?: readonly number[];
  webhookTimeoutMs?: number;
}

export interface JobServices {
  address: Address;
  jobKinds: readonly JobKind[];
  jobs: Jobs;
  jobLifecycle: JobLifecycle;
  jobRunner: JobRunner;
  jobRetention: JobRetention;
  jobFiles: JobFiles;
  staging: JobStorage;
  results: JobStorage;
  polls: Polls;
  estimate: Estimate;
  webhooks: Webhooks;
  dispatcher: WebhookDispatcher;
}

/** The asynchronous half of the service, nothing of it started. */
export function createJobs(
  config: Config,
  store: Store,
  credits: Credits,
  engine: Analyzer,
  overrides: JobOverrides = {},
): JobServices {
  const { kinds = jobKinds, now = Date.now, webhookDelaysMs, webhookTimeoutMs } = overrides;
  const address: Address = { base: config.baseUrl };
  const quota = new DiskQuota(config.dataDir, config.jobStorageMib * 2 ** 20);
  const staging = new JobStorage(new FileStore(config.dataDir, 'staging'), quota);
  const results = new JobStorage(new FileStore(config.dataDir, 'results'), quota);
  const allowPrivate = config.webhookAllowPrivate;
  const webhooks = new Webhooks(store, { allowPrivate, now });
  const dispatcher = new WebhookDispatcher(store, webhooks, {
    allowPrivate,
    now,
    ...(webhookDelaysMs && { delaysMs: webhookDelaysMs }),
    ...(webhookTimeoutMs !== undefined && { answerTimeoutMs: webhookTimeoutMs }),
  });
  const jobFiles = new JobFiles(store, address, now);
  const jobLifecycle = new JobLifecycle({ store, credits, webhooks, staging, files: jobFiles, now });
  jobLifecycle.on('ended', () => dispatcher.wake());
  const workers = config.jobWorkers;
  const limits = { minDurationS: config.minDurationS, maxDurationS: config.maxJobDurationS };
  const parts = { store, lifecycle: jobLifecycle, staging, results, kinds, engine };
  return {
    address,
    jobKinds: kinds,
    jobs: new Jobs(config, store, credits, jobLifecycle, now),
    jobLifecycle,
    jobRunner: new JobRunner(parts, { workers, ...limits }),
    jobRetention: new JobRetention(store, jobLifecycle, staging, results, now),
    jobFiles,
    staging,
    results,
    polls: new Polls(now),
    estimate: new Estimate(store, kinds, workers),
    webhooks,
    dispatcher,
  };
}
