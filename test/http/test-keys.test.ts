import t from 'tap';
import { endpoints } from '../../src/http/routes/index.js';
import type { FakeEngine } from '../helpers/fake-engine.js';
import { startService, type TestService, upload } from '../helpers/service.js';

/** After this, whoever touches compute, cache, credits or assets fails. */
function forbid(service: TestService<FakeEngine>): void {
  const { services } = service;
  const fail = () => {
    throw new Error('a test key touched what it must not');
  };
  const { store } = services;
  for (const part of [
    service.engine,
    services.analysis,
    services.credits,
    services.assets,
    services.finder,
    services.lookups,
    store.results,
    store.ledger,
    store.assets,
    services.jobs,
    services.staging,
    services.jobLifecycle,
    store.jobs,
  ]) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(part))) {
      if (name !== 'constructor') Object.defineProperty(part, name, { value: fail });
    }
  }
}

/** What lookups cannot do without. */
const lookups: Record<string, { query?: string; body?: object }> = {
  'GET /v1/audio-features': { query: '?song=Song&artist=Artist' },
  'GET /v1/key-bpm': { query: '?song=Song&artist=Artist' },
  'GET /v1/resolve': { query: '?song=Song&artist=Artist' },
  'POST /v1/audio-features': { body: { ids: ['GBARL9300135', 'deezer:1'] } },
  'POST /v1/resolve': { body: { tracks: [{ song: 'Song', artist: 'Artist' }] } },
};

t.test('every endpoint answers a test key with a mock, touching nothing', async (t) => {
  const service = await startService(t);
  const { services } = service;
  const all = endpoints(services).filter(({ access }) => access !== 'public');
  const keys = all.map(() => service.account({ mode: 'test' }).key);
  forbid(service);
  for (const [i, endpoint] of all.entries()) {
    const { query = '', body } = lookups[`${endpoint.method} ${endpoint.path}`] ?? {};
    const sample = endpoint.access === 'lookup' ? 'isrc:GBARL9300135' : 'asset_01J00000000000000000000000';
    const path = endpoint.path.replaceAll(/\{\w+\}/g, sample) + query;
    const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const isUpload = endpoint.body?.kind === 'audio';
    const ask = (bytes: string) =>
      service.request(
        path,
        isUpload ? upload(bytes, keys[i]!) : { method: endpoint.method, key: keys[i]!, ...json },
      );
    const first = await ask('one');
    const name = `${endpoint.method} ${endpoint.path}`;
    t.ok(first.status >= 200 && first.status < 300, `${name}: ${first.text.slice(0, 200)}`);
    if (endpoint.success.contentType === 'text/event-stream') {
      t.equal((await ask('one')).text, first.text, `${name}: same input, same output`);
      continue;
    }
    t.match(first.body._meta, {
      cache: 'miss',
      latency_ms: Number,
      credits_used: 0,
      credits_remaining: 10_000,
      trace_id: String,
    });
    const content = ({ body: { _meta, ...rest } }: typeof first) => rest;
    t.same(content(await ask('one')), content(first), `${name}: same input, same output`);
    if (isUpload) t.notSame(content(await ask('two')), content(first), `${name}: other input, other output`);
  }
});
