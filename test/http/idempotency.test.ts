import { setTimeout as sleep } from 'node:timers/promises';
import { request as httpRequest } from 'node:http';
import t from 'tap';
import { startJobService } from '../helpers/job-service.js';

const key1 = { 'idempotency-key': 'key-1' };

t.test('the same key and request give the same job, said so, and one charge', async (t) => {
  const service = await startJobService(t);
  const { id, key } = service.account();
  const first = await service.submit('some audio', key, key1);
  t.equal(first.headers.get('idempotent-replayed'), null);
  await service.reaches(first.body.job_id, 'completed');
  const second = await service.submit('some audio', key, key1);
  t.equal(second.status, 202);
  t.equal(second.body.job_id, first.body.job_id);
  t.equal(second.headers.get('idempotent-replayed'), 'true');
  t.equal(service.services.credits.balance(id), 90);
  await sleep(20);
  t.same(service.filesIn('staging'), []);
});

t.test('requests with the same key that arrive at the same instant make one job', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { id, key } = service.account();
  const answers = await Promise.all(Array.from({ length: 6 }, () => service.submit('some audio', key, key1)));
  t.ok(answers.every(({ status }) => status === 202));
  t.equal(new Set(answers.map(({ body }) => body.job_id)).size, 1);
  t.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 5);
  t.equal(service.services.credits.balance(id), 90);
  t.equal(service.services.store.jobs.queuedByKind()[0]?.count, 1);
});

t.test('the same key with another request is refused', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { id, key } = service.account();
  const first = await service.submit('some audio', key, key1);
  for (const other of [
    await service.submit('other audio', key, key1),
    await service.submit('some audio', key, key1, '?note=other'),
    await service.request('/v1/audio-features/upload', {
      method: 'POST',
      body: 'some audio',
      key,
      headers: { 'content-type': 'audio/wav', ...key1 },
    }),
  ]) {
    t.equal(other.status, 422);
    t.match(other.body.error, {
      code: 'idempotency_key_reused',
      details: { job_id: first.body.job_id },
    });
  }
  t.equal(service.services.credits.balance(id), 90);
  await sleep(20);
  t.equal(service.filesIn('staging').length, 1);
});

t.test('while the first is still being received, a second is refused after a short wait', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account();
  const slow = httpRequest(`${service.address}/v1/echo`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'audio/wav',
      'content-length': '10',
      ...key1,
    },
  });
  const answered = new Promise<number | undefined>((resolve) =>
    slow.on('response', (response) => resolve(response.statusCode)),
  );
  slow.write('some ');
  while (service.filesIn('staging').length === 0) await sleep(5);
  const second = await service.submit('some audio', key, key1);
  t.equal(second.status, 409);
  t.equal(second.body.error.code, 'idempotency_in_progress');
  t.ok(second.headers.get('retry-after'));
  slow.end('audio');
  t.equal(await answered, 202);
  const third = await service.submit('some audio', key, key1);
  t.equal(third.headers.get('idempotent-replayed'), 'true');
});

t.test('a key is of its account, and ends after 24 hours', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const [a, b] = [service.account(), service.account()];
  const first = await service.submit('some audio', a.key, key1);
  const other = await service.submit('some audio', b.key, key1);
  t.not(other.body.job_id, first.body.job_id);
  service.clock.now = 24 * 3_600_000 - 1000;
  t.equal((await service.submit('some audio', a.key, key1)).body.job_id, first.body.job_id);
  service.clock.now = 24 * 3_600_000 + 1000;
  const later = await service.submit('some audio', a.key, key1);
  t.not(later.body.job_id, first.body.job_id);
  t.equal(later.headers.get('idempotent-replayed'), null);
});

t.test('a request that failed leaves its key free', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { id, key } = service.account({ credits: 5 });
  t.equal((await service.submit('some audio', key, key1)).status, 402);
  service.services.credits.grant(id, 10, 'test');
  t.equal((await service.submit('some audio', key, key1)).status, 202);
});

t.test('a key that cannot be one is refused before the upload', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account();
  const answer = await service.submit('some audio', key, { 'idempotency-key': 'x'.repeat(256) });
  t.equal(answer.status, 400);
  t.match(answer.body.error, { code: 'invalid_parameter', param: 'Idempotency-Key' });
});
