// The process under load: the service, with an engine that must not be reached, and bare routes to compare it with.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { createAccount } from '../../src/accounts/accounts.js';
import { analyses } from '../../src/analyses/index.js';
import { SeededRandom } from '../../src/analyses/seeded-random.js';
import { buildApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { createServices, type Engine } from '../../src/http/services.js';
import type { AnalysisOutput } from '../../src/native/addon.js';
import { Store } from '../../src/store/store.js';

const dataDir = mkdtempSync(join(tmpdir(), 'tonearm-bench-'));
const limits = { REQUESTS_PER_MINUTE: '10000000', CONCURRENCY: '1000' };
const config = loadConfig({ LOG_LEVEL: 'silent', THREADS: '1', DATA_DIR: dataDir, ...limits });
const store = Store.open(dataDir);
const tempo = analyses[0]?.mock(new SeededRandom('bench'), {});
const engine: Engine = {
  analyze: () => Promise.resolve({ tempo } as unknown as AnalysisOutput),
  status: () => ({ ready: true, threads: 1, running: 0, queued: 0, restarts: 0, info: null }),
};
const services = createServices(config, store, engine);
const { secret } = services.keys.create(createAccount(store, 'bench', { credits: 1000 }).id, 'live');
const app = await buildApp(config, services);

const bare = Fastify();

bare.addContentTypeParser('*', (_request, _body, done) => done(null));
bare.post('/hash', async (request) => {
  const hash = createHash('sha256');
  for await (const piece of request.raw) hash.update(piece as Buffer);
  return { sha256: hash.digest('hex') };
});

const headers = { authorization: `Bearer ${secret}`, 'content-type': 'audio/wav' };
await app.listen({ port: 0 });
const port = (app.server.address() as AddressInfo).port;
const sample: unknown = await (
  await fetch(`http://127.0.0.1:${port}/v1/bpm`, { method: 'POST', headers, body: 'x' })
).json();
bare.get('/json', () => sample);
await bare.listen({ port: 0 });
process.send?.({ service: port, bare: (bare.server.address() as AddressInfo).port, key: secret });
process.once('disconnect', () => {
  rmSync(dataDir, { recursive: true });
  process.exit();
});
