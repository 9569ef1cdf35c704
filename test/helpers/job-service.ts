import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { jobKinds } from '../../src/jobs/index.js';
import type { FakeEngine } from './fake-engine.js';
import { EchoKind } from './job-kinds.js';
import { type Answer, startService, type TestService, upload } from './service.js';

export interface JobService extends TestService<FakeEngine> {
  echo: EchoKind;
  /** What the service takes for now. */
  clock: { now: number };
  submit(bytes: string, key: string, headers?: Record<string, string>, query?: string): Promise<Answer>;
  /** Waits until the job has a status, looking at the database. */
  reaches(id: string, status: string): Promise<void>;
  filesIn(folder: 'staging' | 'results'): string[];
}

/** The service with a kind of job that does as it is told, running. */
export async function startJobService(
  t: Test,
  settings: Record<string, string> = {},
  options: { isRunning?: boolean } = {},
): Promise<JobService> {
  const echo = new EchoKind();
  // Real time, until a test moves it.
  const clock = { now: 0 };
  const service = await startService(
    t,
    { WEBHOOK_ALLOW_PRIVATE: 'true', ...settings },
    { kinds: [echo.kind, ...jobKinds], now: () => Date.now() + clock.now },
  );
  const { jobRunner, dispatcher, store } = service.services;
  if (options.isRunning !== false) jobRunner.start(() => {});
  dispatcher.start(() => {});
  return {
    ...service,
    echo,
    clock,
    submit(bytes, key, headers = {}, query = '') {
      const init = upload(bytes, key);
      return service.request(`/v1/echo${query}`, {
        ...init,
        headers: { 'content-type': 'audio/wav', ...headers },
      });
    },
    async reaches(id, status) {
      for (let i = 0; store.jobs.get(id)?.status !== status; i++) {
        if (i > 500) throw new Error(`${id} is ${store.jobs.get(id)?.status}, not ${status}`);
        await sleep(10);
      }
    },
    filesIn(folder) {
      const path = `${service.services.config.dataDir}/${folder}`;
      return existsSync(path) ? readdirSync(path) : [];
    },
  };
}
