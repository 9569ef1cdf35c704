import type { Analyzer } from '../analyses/service.js';
import { ApiError } from '../errors.js';
import type { Job } from '../store/jobs.js';
import type { Store } from '../store/store.js';
import type { JobKind } from './definition.js';
import { StorageFullError } from './disk-quota.js';
import type { JobLifecycle, ResultFile } from './lifecycle.js';
import type { JobStorage } from './storage.js';
import type { Progress } from './view.js';

/** How long to wait when there is no capacity, before asking again. */
const busyWaitMs = 500;

export interface JobRunnerOptions {
  workers: number;
  minDurationS: number;
  maxDurationS: number;
}

interface Running {
  job: Job;
  controller: AbortController;
  progress: Progress;
  done: Promise<void>;
}

type Log = (message: string, facts: Record<string, unknown>) => void;

interface Parts {
  store: Store;
  lifecycle: JobLifecycle;
  staging: JobStorage;
  results: JobStorage;
  kinds: readonly JobKind[];
  engine: Analyzer;
}

/** Runs what is queued, so many at a time, fairly between accounts. */
export class JobRunner {
  readonly #parts: Parts;
  readonly #options: JobRunnerOptions;
  readonly #running = new Map<string, Running>();
  /** A count that grows with every start, by account: the smaller, the longer ago. */
  readonly #lastStart = new Map<string, number>();
  #starts = 0;
  #isOn = false;
  #pause: NodeJS.Timeout | undefined;
  #log: Log = () => {};

  constructor(parts: Parts, options: JobRunnerOptions) {
    this.#parts = parts;
    this.#options = options;
    parts.lifecycle.on('queued', () => this.#fill());
    // Canceled: its work is for nothing.
    parts.lifecycle.on('ended', (id) => this.#running.get(id)?.controller.abort());
  }

  /** Takes up what an earlier process left, and what is queued. */
  start(log: Log): void {
    this.#log = log;
    this.#parts.lifecycle.recover();
    this.#isOn = true;
    this.#fill();
  }

  /** Stops the jobs that run; they go back into the queue, for the next start. */
  async stop(): Promise<void> {
    this.#isOn = false;
    clearTimeout(this.#pause);
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort();
    await Promise.all(running.map(({ done }) => done));
  }

  get runningCount(): number {
    return this.#running.size;
  }

  progressOf(id: string): Progress | undefined {
    return this.#running.get(id)?.progress;
  }

  #fill(): void {
    while (this.#isOn && this.#pause === undefined && this.#running.size < this.#options.workers) {
      const accountId = this.#nextAccount();
      const job = accountId === undefined ? undefined : this.#parts.lifecycle.begin(accountId);
      if (!job) return;
      this.#lastStart.set(job.accountId, ++this.#starts);
      this.#begin(job);
    }
  }

  /** The account with the fewest jobs running; of those, the one whose turn was longest ago. */
  #nextAccount(): string | undefined {
    const running = (accountId: string) =>
      [...this.#running.values()].filter(({ job }) => job.accountId === accountId).length;
    const turn = (accountId: string) => this.#lastStart.get(accountId) ?? 0;
    const [first] = this.#parts.store.jobs
      .queuedAccounts()
      .map((id) => ({ id, running: running(id), turn: turn(id) }))
      .sort((a, b) => a.running - b.running || a.turn - b.turn);
    return first?.id;
  }

  #begin(job: Job): void {
    const controller = new AbortController();
    const running: Running = {
      job,
      controller,
      progress: { stage: 'starting', progress: 0 },
      done: Promise.resolve(),
    };
    this.#running.set(job.id, running);
    running.done = this.#run(running)
      .catch((error: unknown) => {
        // The database refused to say how it ended: the job stays as it is, and the next start takes it up.
        this.#log('the end of a job could not be written down', { err: error, job: job.id });
      })
      .then(() => {
        this.#running.delete(job.id);
        this.#fill();
      });
  }

  async #run(running: Running): Promise<void> {
    const { lifecycle } = this.#parts;
    const { job } = running;
    const files: ResultFile[] = [];
    try {
      const result = await this.#work(running, files);
      running.controller.signal.throwIfAborted();
      lifecycle.complete(job, result, files);
    } catch (error) {
      this.#failed(running, error);
    } finally {
      for (const { written } of files) written.release();
    }
  }

  async #work({ job, controller, progress }: Running, files: ResultFile[]): Promise<object> {
    const { store, kinds, engine, staging, results, lifecycle } = this.#parts;
    const { minDurationS, maxDurationS } = this.#options;
    const kind = kinds.find(({ name }) => name === job.kind);
    const { stagedFile } = job;
    if (!kind || stagedFile === null) throw new Error(`job ${job.id} has no kind or no upload`);
    return kind.run({
      options: job.options,
      engine,
      catalog: store.catalog,
      minDurationS,
      maxDurationS,
      signal: controller.signal,
      readAudio: () => readAll(staging.read(stagedFile)),
      report(stage, done) {
        Object.assign(progress, { stage, progress: done });
        lifecycle.emit('changed', job.id);
      },
      async writeFile(name, contentType, chunks, durationS) {
        files.push({ written: await results.write(chunks), about: { name, contentType, durationS } });
      },
    });
  }

  #failed({ job, controller }: Running, error: unknown): void {
    const { lifecycle } = this.#parts;
    if (controller.signal.aborted) {
      // Canceled, which has ended it already, or the service stops.
      if (!this.#isOn) lifecycle.defer(job);
      return;
    }
    const { code, message } =
      error instanceof ApiError ? error : { code: 'internal_error', message: String(error) };
    if (code === 'service_unavailable' && !(error instanceof StorageFullError)) {
      lifecycle.defer(job);
      this.#wait();
      return;
    }
    if (code !== 'internal_error') {
      lifecycle.fail(job, { code, message });
      return;
    }
    this.#log('a job failed', { err: error, job: job.id, attempts: job.attempts });
    lifecycle.retry(job);
  }

  #wait(): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#fill();
    }, busyWaitMs).unref();
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return chunks;
}
