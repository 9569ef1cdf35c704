import t from 'tap';
import { createHash } from 'node:crypto';
import { startService, upload } from '../helpers/service.js';

void t.test('an upload is analysed, billed and answered with _meta', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const answer = await service.request('/v1/bpm', upload('some audio', key));
  t.equal(answer.status, 200);
  t.type(answer.body.tempo, 'number');
  t.match(answer.body._meta, {
    cache: 'miss',
    credits_used: 3,
    credits_remaining: 97,
    trace_id: /^[0-9a-f]{32}$/,
  });
  t.equal(answer.headers.get('x-trace-id'), answer.body._meta.trace_id);
  t.equal(service.engine.calls[0]?.bytes.toString(), 'some audio');
});

void t.test('a repeat is a free hit with the same result that leaves the engine alone', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const first = await service.request('/v1/lufs', upload('some audio', key));
  const second = await service.request('/v1/lufs', upload('some audio', key, 'application/octet-stream'));
  t.match(second.body._meta, { cache: 'hit', credits_used: 0, credits_remaining: 97 });
  t.same({ ...second.body, _meta: 0 }, { ...first.body, _meta: 0 });
  t.equal(service.engine.calls.length, 1);

  const other = await service.request('/v1/lufs?timeline=true', upload('some audio', key));
  t.equal(other.body._meta.cache, 'miss', 'other options are another request');
  t.ok(other.body.timeline);
});

void t.test('the three forms of an upload are the same to the cache', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const form = new FormData();
  form.append('timeline', 'true');
  form.append('audio', new Blob(['some audio']), 'song.mp3');
  const first = await service.request('/v1/lufs', { method: 'POST', body: form, key });
  t.equal(first.status, 200);
  t.ok(first.body.timeline, 'form fields are options');
  const second = await service.request('/v1/lufs?timeline=true', upload('some audio', key));
  t.equal(second.body._meta.cache, 'hit');
});

void t.test('an upload of another account is a miss and billed, but not computed again', async (t) => {
  const service = await startService(t);
  await service.request('/v1/bpm', upload('some audio', service.account().key));
  const answer = await service.request('/v1/bpm', upload('some audio', service.account().key));
  t.match(answer.body._meta, { cache: 'miss', credits_used: 3, credits_remaining: 97 });
  t.equal(service.engine.calls.length, 1);
});

void t.test('identical uploads at the same moment cost one engine run and one charge', async (t) => {
  const service = await startService(t);
  const { id, key } = service.account();
  let open = () => {};
  service.engine.gate = new Promise((resolve) => (open = resolve));
  const running = Array.from({ length: 5 }, () => service.request('/v1/key', upload('some audio', key)));
  setTimeout(open, 100);
  const answers = await Promise.all(running);
  t.equal(service.engine.calls.length, 1);
  t.same(answers.map(({ body }) => body._meta.cache).sort(), ['hit', 'hit', 'hit', 'hit', 'miss']);
  t.equal(service.services.credits.balance(id), 97);
});

void t.test('a caller that hangs up cancels the engine and pays nothing', async (t) => {
  const service = await startService(t);
  const { id, key } = service.account();
  service.engine.gate = new Promise(() => {});
  const controller = new AbortController();
  const running = service.request('/v1/key', { ...upload('some audio', key), signal: controller.signal });
  while (service.engine.calls.length === 0) await tick();
  t.equal(service.services.credits.balance(id), 97, 'reserved while it runs');
  controller.abort();
  await t.rejects(running);
  while (service.engine.canceled === 0) await tick();
  await tick();
  t.equal(service.services.credits.balance(id), 100);
  t.equal(service.services.uploadMemory.usedBytes, 0);
});

void t.test('when the caller that pays hangs up, one that waits for the same takes over', async (t) => {
  const service = await startService(t);
  const { id, key } = service.account();
  let open = () => {};
  service.engine.gate = new Promise((resolve) => (open = resolve));
  const controller = new AbortController();
  const first = service.request('/v1/key', { ...upload('some audio', key), signal: controller.signal });
  while (service.engine.calls.length === 0) await tick();
  const second = service.request('/v1/key', upload('some audio', key));
  await tick();
  controller.abort();
  await t.rejects(first);
  while (service.engine.calls.length === 1) await tick();
  open();
  t.match((await second).body._meta, { cache: 'miss', credits_used: 3 });
  t.equal(service.services.credits.balance(id), 97);
});

void t.test('too few credits are told with cost and balance, before the engine is asked', async (t) => {
  const service = await startService(t);
  const { key } = service.account({ credits: 2 });
  const answer = await service.request('/v1/bpm', upload('some audio', key));
  t.equal(answer.status, 402);
  t.match(answer.body.error, { code: 'insufficient_credits', details: { cost: 3, balance: 2 } });
  t.equal(service.engine.calls.length, 0);
});

void t.test('the hash is that of all bytes, however they are cut', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const bytes = Buffer.alloc(3_000_001, 'tonearm');
  await service.request('/v1/bpm', upload(bytes, key));
  const got = service.engine.calls[0]?.bytes ?? Buffer.alloc(0);
  t.equal(createHash('sha256').update(got).digest('hex'), createHash('sha256').update(bytes).digest('hex'));
  t.equal(service.services.uploadMemory.usedBytes, 0, 'and its memory is free again');
});

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
