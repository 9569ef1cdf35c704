import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { createAccount } from '../../src/accounts/accounts.js';
import { Keys } from '../../src/accounts/keys.js';
import { buildApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { createServices, type Engine, type Services } from '../../src/http/services.js';
import { defineJobKind, type JobKind } from '../../src/jobs/definition.js';
import type { WrittenFile } from '../../src/jobs/storage.js';
import { Store } from '../../src/store/store.js';

export interface QueueFigures {
  /** Jobs that wait while it is measured. */
  waiting: number;
  /** Over HTTP, 8 connections, 10 kB of audio each, every one through to the disk. */
  submissionsPerS: number;
  /** From the answer to the start of the job, for an account with none waiting before it. */
  startMedianMs: number;
  startP95Ms: number;
}

const submissions = 400;
const starts = 100;
const jobMs = 5;

/** Work of a fixed length, so that what is measured is the queue. */
const pause = defineJobKind({
  name: 'pause',
  summary: 'Pause',
  description: 'Takes 5 ms.',
  price: 1,
  typicalS: jobMs / 1000,
  options: Type.Object({}),
  result: Type.Object({}),
  async run({ signal }) {
    await sleep(jobMs, undefined, { signal });
    return {};
  },
  mock: () => ({}),
}) as unknown as JobKind;

const noEngine: Engine = {
  analyze: () => Promise.reject(new Error('no analysis is asked for')),
  status: () => ({ ready: true, threads: 1, running: 0, queued: 0, restarts: 0, info: null }),
};

export async function measureQueue(waiting: number): Promise<QueueFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tonearm-bench-jobs-'));
  const config = loadConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    JOB_QUEUE: '100000',
    JOB_WORKERS: '1',
  });
  const store = Store.open(dataDir);
  const services = createServices(config, store, noEngine, { kinds: [pause] });
  const app = await buildApp(config, services);
  await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    const limits = { credits: 1_000_000, requestsPerMinute: 10_000_000, concurrency: 1000 };
    const [crowd, measured] = ['crowd', 'measured'].map((name) => createAccount(store, name, limits).id);
    const key = new Keys(store).create(measured!, 'live').secret;
    await fill(services, crowd!, waiting - 1);
    const submissionsPerS = await measureSubmissions(services.address.base, key);
    // Those just submitted would be in the way of what is measured next.
    for (const job of store.jobs.page(measured!, { status: 'queued' }, undefined, submissions))
      services.jobs.cancel(measured!, job.id);
    const delays = await measureStarts(services, key);
    return {
      waiting,
      submissionsPerS,
      startMedianMs: delays[delays.length >> 1]!,
      startP95Ms: delays[Math.floor(delays.length * 0.95)]!,
    };
  } finally {
    await app.close();
    await services.jobRunner.stop();
    store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill(services: Services, accountId: string, count: number): Promise<void> {
  const uploads: WrittenFile[] = [];
  for (let i = 0; i < count; i++) uploads.push(await services.staging.write([Buffer.from(String(i))]));
  services.store.transaction(() => {
    for (const upload of uploads) {
      const submission = { accountId, kind: pause, options: {}, upload, idempotencyKey: undefined };
      services.jobs.submit({ ...submission, traceId: '0'.repeat(32) });
    }
  });
}

async function measureSubmissions(address: string, key: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      for (let i = worker; i < submissions; i += 8) await submit(address, key, agent, i);
    }),
  );
  agent.destroy();
  return (1000 * submissions) / (performance.now() - startedAt);
}

/** Milliseconds from answer to start, ascending. */
async function measureStarts(services: Services, key: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const begun = new Map<string, number>();
  services.jobLifecycle.on('changed', (id) => {
    if (!begun.has(id)) begun.set(id, performance.now());
  });
  services.jobRunner.start(() => {});
  const delays: number[] = [];
  for (let i = 0; i < starts; i++) {
    const id = await submit(services.address.base, key, agent, submissions + i);
    const answeredAt = performance.now();
    while (!begun.has(id)) await sleep(1);
    // It may begin before its answer has arrived.
    delays.push(Math.max(0, begun.get(id)! - answeredAt));
  }
  agent.destroy();
  return delays.sort((a, b) => a - b);
}

function submit(address: string, key: string, agent: Agent, number: number): Promise<string> {
  const body = Buffer.alloc(10_000, `audio ${number} `);
  return new Promise((resolve, reject) => {
    const sent = request(`${address}/v1/pause`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'audio/wav',
        'content-length': body.length,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 202) resolve((JSON.parse(text) as { job_id: string }).job_id);
        else reject(new Error(text));
      });
    });
    sent.end(body);
  });
}
