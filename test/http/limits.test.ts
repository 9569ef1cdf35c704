import t from 'tap';
import { startService, upload } from '../helpers/service.js';

t.test('more requests a minute than the account may make are 429 with the draft headers', async (t) => {
  const service = await startService(t);
  const { key } = service.account({ requestsPerMinute: 2 });
  const first = await service.request('/v1/account', { key });
  t.equal(first.headers.get('ratelimit-policy'), '"account";q=2;w=60');
  t.match(first.headers.get('ratelimit'), /^"account";r=1;t=\d+$/);
  await service.request('/v1/account', { key });
  const refused = await service.request('/v1/account', { key });
  t.equal(refused.status, 429);
  t.equal(refused.body.error.code, 'rate_limit_exceeded');
  const wait = Number(refused.headers.get('retry-after'));
  t.ok(wait > 50 && wait <= 60, 'until the first of them leaves the window');
  t.equal((await service.request('/v1/account', { key: service.account().key })).status, 200, 'others go on');
});

t.test('test keys have ten requests a minute each', async (t) => {
  const service = await startService(t);
  const { key } = service.account({ mode: 'test' });
  for (let i = 0; i < 10; i++) t.equal((await service.request('/v1/account', { key })).status, 200);
  t.equal((await service.request('/v1/account', { key })).status, 429);
});

t.test('an account has only so many uploads at the same time', async (t) => {
  const service = await startService(t);
  const { key } = service.account({ concurrency: 1 });
  let open = () => {};
  service.engine.gate = new Promise((resolve) => (open = resolve));
  const running = service.request('/v1/bpm', upload('one', key));
  while (service.engine.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const refused = await service.request('/v1/bpm', upload('two', key));
  t.equal(refused.status, 429);
  t.equal(refused.body.error.code, 'concurrency_exceeded');
  t.ok(refused.headers.get('retry-after'));
  t.equal((await service.request('/v1/account', { key })).status, 200, 'other requests go on');
  open();
  t.equal((await running).status, 200);
  t.equal((await service.request('/v1/bpm', upload('two', key))).status, 200);
});

t.test('READ_ONLY refuses what computes or writes and keeps the rest', async (t) => {
  const service = await startService(t, { READ_ONLY: 'true' });
  const { key } = service.account();
  const refused = await service.request('/v1/bpm', upload('audio', key));
  t.equal(refused.status, 403);
  t.equal(refused.body.error.code, 'read_only');
  t.equal((await service.request('/v1/assets', { key })).status, 200);
});

t.test('a payload over the limit is refused, whether it says its size or not', async (t) => {
  const service = await startService(t, { MAX_UPLOAD_MIB: '1' });
  const { key } = service.account();
  const bytes = Buffer.alloc(1024 * 1024 + 1);
  const told = await service.request('/v1/bpm', upload(bytes, key));
  t.equal(told.status, 413);
  t.match(told.body.error, { code: 'payload_too_large', details: { max_bytes: 1024 * 1024 } });
  const stream = new Blob([bytes]).stream();
  const init = { ...upload('', key), body: stream, duplex: 'half' } as RequestInit & { key: string };
  t.equal((await service.request('/v1/bpm', init)).status, 413);
  const form = new FormData();
  form.append('audio', new Blob([bytes]));
  t.equal((await service.request('/v1/bpm', { method: 'POST', body: form, key })).status, 413);
  t.equal(service.services.uploadMemory.usedBytes, 0);
});

t.test('uploads that together need more memory than there is are told to come back', async (t) => {
  const service = await startService(t, { UPLOAD_MEMORY_MIB: '2' });
  const { key } = service.account();
  const answer = await service.request('/v1/bpm', upload(Buffer.alloc(3 * 1024 * 1024), key));
  t.equal(answer.status, 503);
  t.ok(answer.headers.get('retry-after'));
  t.equal(service.services.uploadMemory.usedBytes, 0);
});
