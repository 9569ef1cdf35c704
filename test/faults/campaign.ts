import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccount } from '../../src/accounts/accounts.js';
import { Keys } from '../../src/accounts/keys.js';
import { Store } from '../../src/store/store.js';
import { Webhooks } from '../../src/webhooks/webhooks.js';
import { FlakyReceiver } from './flaky-receiver.js';
import { wav } from './wav.js';

export interface CampaignOptions {
  dataDir: string;
  jobs: number;
  kills: number;
  log?: (line: string) => void;
}

export interface Submitted {
  accountId: string;
  apiKey: string;
  idempotencyKey: string;
  path: string;
  audio: Buffer;
  jobId: string;
}

export interface Campaign {
  submitted: Submitted[];
  receiver: FlakyReceiver;
  kills: number;
  /** Times a submission had to be sent again because the service died or was not there. */
  resent: number;
  /** Times the receiver had been disabled and was enabled again. */
  enabled: number;
  accounts: { id: string; granted: number }[];
}

const accountCount = 3;
const granted = 100_000;

/**
 * Submits jobs to the real service while killing it again and again, with a receiver that is not to be relied on; then
 * lets both rest until nothing is left to do, and stops the service.
 */
export async function runCampaign({
  dataDir,
  jobs,
  kills,
  log = () => {},
}: CampaignOptions): Promise<Campaign> {
  const receiver = new FlakyReceiver();
  await receiver.start();
  const store = Store.open(dataDir);
  const webhooks = new Webhooks(store, { allowPrivate: true });
  const accounts = Array.from({ length: accountCount }, (_, i) => {
    const { id } = createAccount(store, `account ${i}`, {
      credits: granted,
      requestsPerMinute: 1_000_000,
      concurrency: 1000,
    });
    webhooks.set(id, receiver.url(id));
    return { id, granted, apiKey: new Keys(store).create(id, 'live').secret };
  });
  const service = new Service(dataDir, await freePort());
  const campaign: Campaign = { submitted: [], receiver, kills: 0, resent: 0, enabled: 0, accounts };

  let cycle = 0;
  const submitter = async (first: number): Promise<void> => {
    for (let i = first; i < jobs; i += 8) {
      // Spread over all the kills.
      while (cycle < Math.floor((i * kills) / jobs)) await sleep(20);
      const account = accounts[i % accountCount]!;
      const path = i % 2 === 0 ? '/v1/halves' : '/v1/audio-features/upload';
      const submission = {
        accountId: account.id,
        apiKey: account.apiKey,
        idempotencyKey: randomUUID(),
        path,
        audio: wav(i),
      };
      let answer = await submit(service.address, submission);
      while (answer === undefined) {
        campaign.resent++;
        await sleep(50);
        answer = await submit(service.address, submission);
      }
      campaign.submitted.push({ ...submission, jobId: answer });
    }
  };
  const submitters = Promise.all(Array.from({ length: 8 }, (_, i) => submitter(i)));

  for (; cycle < kills; cycle++) {
    const ready = service.start();
    // One in four dies while it starts.
    if (cycle % 4 !== 3) await ready;
    await sleep(50 + Math.random() * 1500);
    await service.kill();
    campaign.kills++;
    campaign.enabled += enableAgain(webhooks, accounts);
    log(`killed ${campaign.kills} times, ${campaign.submitted.length} of ${jobs} jobs accepted`);
  }
  await service.start();
  await submitters;
  await receiver.settle();
  log('all accepted; waiting for what is left');
  for (let round = 0; isWorkLeft(store, campaign.submitted); round++) {
    if (round > 600) throw new Error('the work did not come to an end');
    campaign.enabled += enableAgain(webhooks, accounts);
    await sleep(200);
  }
  await service.stop();
  store.close();
  return campaign;
}

/** The job's id; undefined when the service died, was not there, or was not ready. Throws on any other answer. */
export async function submit(
  address: string,
  { apiKey, idempotencyKey, path, audio }: Omit<Submitted, 'jobId' | 'accountId'>,
): Promise<string | undefined> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'audio/wav',
        'idempotency-key': idempotencyKey,
      },
      body: new Uint8Array(audio),
    });
    status = response.status;
    text = await response.text();
  } catch {
    return undefined;
  }
  if (status === 202) return (JSON.parse(text) as { job_id: string }).job_id;
  if (status === 503 || status === 409) return undefined;
  throw new Error(`${path} → ${status}: ${text}`);
}

/** What a person would do: enable a receiver that was disabled, and send again what did not get through. */
function enableAgain(webhooks: Webhooks, accounts: { id: string }[]): number {
  let enabled = 0;
  for (const { id } of accounts) {
    if (webhooks.existing(id).disabledAt !== null) {
      webhooks.enable(id);
      enabled++;
    }
    for (const delivery of webhooks.unsent(id)) webhooks.resend(id, delivery);
  }
  return enabled;
}

function isWorkLeft(store: Store, submitted: Submitted[]): boolean {
  return submitted.some(({ jobId }) => {
    const job = store.jobs.get(jobId);
    return job?.finishedAt === null || store.webhooks.deliveryOfJob(jobId)?.status !== 'delivered';
  });
}

class Service {
  readonly address: string;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  constructor(dataDir: string, port: number) {
    this.address = `http://127.0.0.1:${port}`;
    this.#env = {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      THREADS: '2',
      JOB_WORKERS: '4',
      LOG_LEVEL: 'fatal',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    };
  }

  /** Resolves when it is ready, or dead. */
  async start(): Promise<void> {
    const script = fileURLToPath(new URL('service.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import=tsx', script], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null)
      throw new Error('the service died by itself');
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
