import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { createAccount, type CreateAccountOptions } from '../../src/accounts/accounts.js';
import { type CreateKeyOptions, Keys } from '../../src/accounts/keys.js';
import { buildApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import type { EngineProcess } from '../../src/engine/engine-process.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { endpoints } from '../../src/http/routes/index.js';
import { createServices, type Services } from '../../src/http/services.js';
import type { JobOverrides } from '../../src/jobs/create.js';
import { type RunningServer, startServer } from '../../src/server.js';
import type { KeyMode } from '../../src/store/keys.js';
import { Store } from '../../src/store/store.js';
import { FakeEngine } from './fake-engine.js';
import { OpenApiCheck } from './openapi-check.js';

export interface TestService<Engine> {
  address: string;
  services: Services;
  engine: Engine;
  /** Makes an account, with 100 credits unless told otherwise, and returns its id and a key of it. */
  account(options?: CreateAccountOptions & { mode?: KeyMode; key?: CreateKeyOptions }): {
    id: string;
    key: string;
  };
  /** Every answer is checked against the service's own description. */
  request(path: string, init?: RequestInit & { key?: string }): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Of whatever shape the test expects. */
  body: any;
}

const quiet = { LOG_LEVEL: 'silent', THREADS: '2', PORT: '0' };

/** The HTTP shell with a fresh database and an engine that is none: for tests of what lies around the engine. */
export async function startService(
  t: Test,
  settings: Record<string, string> = {},
  overrides: JobOverrides = {},
): Promise<TestService<FakeEngine>> {
  const config = loadConfig({ ...quiet, ...settings, DATA_DIR: t.testdir() });
  const store = Store.open(config.dataDir);
  const engine = new FakeEngine();
  const services = createServices(config, store, engine, overrides);
  const app = await buildApp(config, services);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(async () => {
    app.server.closeAllConnections();
    await app.close();
    await services.jobRunner.stop();
    await services.dispatcher.stop();
    store.close();
  });
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return { engine, ...client(t, address, services) };
}

/** The whole service, as `tonearm serve` starts it. */
export async function startRealService(
  t: Test,
  settings: Record<string, string> = {},
): Promise<TestService<EngineProcess> & { server: RunningServer }> {
  const server = await startServer(loadConfig({ ...quiet, ...settings, DATA_DIR: t.testdir() }));
  t.teardown(() => server.stop());
  return { server, engine: server.engine, ...client(t, server.address, server.services) };
}

function client(t: Test, address: string, services: Services): Omit<TestService<unknown>, 'engine'> {
  const check = new OpenApiCheck(openApiDocument(endpoints(services), '/'));
  return {
    address,
    services,
    account({ mode = 'live', key = {}, ...options } = {}) {
      const { id } = createAccount(services.store, 'test', { credits: 100, ...options });
      return { id, key: new Keys(services.store).create(id, mode, key).secret };
    },
    async request(path, init) {
      const answer = await send(`${address}${path}`, init);
      const type = answer.headers.get('content-type') ?? '';
      const where = path.split('?')[0] ?? '';
      const problem = check.problem(init?.method ?? 'GET', where, answer.status, type, answer.body);
      if (problem !== undefined) t.fail(`an answer that the description does not allow: ${problem}`);
      t.match(answer.headers.get('x-trace-id'), /^[0-9a-f]{32}$/);
      return answer;
    },
  };
}

async function send(url: string, { key, ...init }: RequestInit & { key?: string } = {}): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** An upload of bytes as the raw body. */
export function upload(
  bytes: Uint8Array | string,
  key: string,
  type = 'audio/wav',
): RequestInit & { key: string } {
  return {
    method: 'POST',
    body: bytes as NonNullable<RequestInit['body']>,
    key,
    headers: { 'content-type': type },
  };
}
