import { setTimeout as sleep } from 'node:timers/promises';
import { request as httpRequest } from 'node:http';
import { statSync } from 'node:fs';
import t from 'tap';
import { ApiError, serviceUnavailable } from '../../src/errors.js';
import { startJobService } from '../helpers/job-service.js';
import { startReceiver } from '../helpers/receiver.js';
import { upload } from '../helpers/service.js';

t.test('a submission is answered 202 with the job, its credits reserved and its upload staged', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { id, key } = service.account();
  const before = Date.now();
  const answer = await service.submit('some audio', key);
  t.equal(answer.status, 202);
  t.match(answer.body, {
    job_id: /^job_[0-9A-HJKMNP-TV-Z]{26}$/,
    status: 'queued',
    poll_url: `${service.address}/v1/jobs/${answer.body.job_id}`,
    _meta: { credits_reserved: 10, credits_remaining: 90, credits_used: 0, trace_id: String },
  });
  const waitMs = Date.parse(answer.body.estimated_completion) - before;
  t.ok(waitMs >= 4000 && waitMs < 6000, 'as long as the kind typically takes');
  t.equal(service.services.credits.balance(id), 90);
  const staged = service.filesIn('staging');
  t.equal(staged.length, 1);
  t.match(staged[0], /^[0-9a-f]{32}$/);
  t.equal(statSync(`${service.services.config.dataDir}/staging/${staged[0]}`).mode & 0o777, 0o600);

  const second = await service.submit('more audio', key);
  const later = Date.parse(second.body.estimated_completion) - Date.parse(answer.body.estimated_completion);
  t.ok(later >= 3900, 'what waits before it is counted');
});

t.test('a job runs, is charged once, gives its result with files, and leaves no upload behind', async (t) => {
  const service = await startJobService(t);
  const { id, key } = service.account();
  const { body } = await service.submit('some audio', key, {}, '?note=hello');
  await service.reaches(body.job_id, 'completed');
  const job = await service.request(`/v1/jobs/${body.job_id}`, { key });
  t.match(job.body, {
    status: 'completed',
    endpoint: '/v1/echo',
    credits_used: 10,
    result: { note: 'hello', byte_length: 10 },
    created_at: String,
    started_at: String,
    finished_at: String,
  });
  const [file] = job.body.result.files;
  t.match(file, { name: 'écho "1".bin', bytes: 10, content_type: 'audio/wav', duration_s: 1.5 });
  t.match(file.sha256, /^[0-9a-f]{64}$/);
  t.equal(Date.parse(job.body.result.expires_at) - Date.parse(job.body.finished_at), 24 * 3_600_000);
  t.equal(service.services.credits.balance(id), 90);
  t.same(service.filesIn('staging'), []);
  t.equal(service.services.store.ledger.openReservations('job:').length, 0);
});

t.test('audio features come from one pass and carry artist, title and ISRC', async (t) => {
  const service = await startJobService(t);
  const { key } = service.account();
  const form = new FormData();
  form.append('artist', 'Somebody');
  form.append('title', 'Something');
  form.append('isrc', 'GBAYE0601498');
  form.append('audio', new Blob(['some audio']), 'song.mp3');
  const { status, body } = await service.request('/v1/audio-features/upload', {
    method: 'POST',
    body: form,
    key,
  });
  t.equal(status, 202);
  await service.reaches(body.job_id, 'completed');
  const job = await service.request(`/v1/jobs/${body.job_id}`, { key });
  t.match(job.body.result, {
    artist: 'Somebody',
    title: 'Something',
    isrc: 'GBAYE0601498',
    tempo: Number,
    tempo_confidence: Number,
    key: String,
    key_confidence: Number,
    loudness_lufs: Number,
    duration_s: 1,
    energy: null,
    source: 'analysis',
    reasons: { energy: 'not_measured' },
    files: [],
  });
  t.match(job.body.result.track_id, /^trk_/);
  const looked = await service.request('/v1/audio-features/isrc:GBAYE0601498', { key });
  t.match(looked.body, {
    track_id: job.body.result.track_id,
    artist: 'Somebody',
    tempo: job.body.result.tempo,
    _meta: { cache: 'hit', credits_used: 0 },
  });
  t.equal(service.engine.calls.length, 1);
  t.equal(service.engine.calls[0]?.bytes.toString(), 'some audio');
  const wrong = await service.request('/v1/audio-features/upload?isrc=nonsense', upload('x', key));
  t.match(wrong.body.error, { code: 'invalid_parameter', param: 'isrc' });
});

t.test(
  'an upload does not rewrite a track that the catalogue knows, and goes nowhere without names',
  async (t) => {
    const service = await startJobService(t);
    const { key } = service.account();
    const resultOf = async (audio: string, names: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(names)) form.append(name, value);
      form.append('audio', new Blob([audio]), 'song.mp3');
      const { body } = await service.request('/v1/audio-features/upload', {
        method: 'POST',
        body: form,
        key,
      });
      await service.reaches(body.job_id, 'completed');
      return (await service.request(`/v1/jobs/${body.job_id}`, { key })).body.result;
    };
    const first = await resultOf('some audio', { artist: 'Somebody', title: 'Something' });
    const second = await resultOf('other audio', { artist: 'SOMEBODY', title: 'Something' });
    t.match(first.track_id, /^trk_/);
    t.equal(second.track_id, first.track_id);
    const looked = await service.request(`/v1/audio-features/${first.track_id}`, { key });
    t.equal(looked.body.artist, 'Somebody', 'as the first upload called it');
    const nameless = await resultOf('more audio', {});
    t.equal(nameless.track_id, null);
    t.equal(nameless.reasons.track_id, 'not_in_catalogue');
  },
);

t.test('an asset can be submitted, and the job does not need it any more after that', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account();
  const asset = await service.request('/v1/assets/upload', upload('kept audio', key));
  const answer = await service.request('/v1/echo', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ asset_id: asset.body.asset_id }),
  });
  t.equal(answer.status, 202);
  await service.request(`/v1/assets/${asset.body.asset_id}`, { method: 'DELETE', key });
  service.services.jobRunner.start(() => {});
  await service.reaches(answer.body.job_id, 'completed');
  t.equal(service.echo.started[0]?.bytes.toString(), 'kept audio');
});

t.test('a job that fails gives its credits back and tells why', async (t) => {
  const service = await startJobService(t);
  const { id, key } = service.account();
  service.echo.failWith = new ApiError('undecodable_audio', 'These bytes are no audio.');
  const { body } = await service.submit('noise', key);
  await service.reaches(body.job_id, 'failed');
  const job = await service.request(`/v1/jobs/${body.job_id}`, { key });
  t.match(job.body, {
    status: 'failed',
    credits_used: 0,
    error: { code: 'undecodable_audio', message: 'These bytes are no audio.' },
  });
  t.notOk('result' in job.body);
  t.equal(service.services.credits.balance(id), 100);
  t.same([...service.filesIn('staging'), ...service.filesIn('results')], []);
});

t.test('a job that the service fails at is tried three times in all, then given up', async (t) => {
  const service = await startJobService(t);
  const { id, key } = service.account();
  service.echo.failWith = new Error('a bug');
  const { body } = await service.submit('some audio', key);
  await service.reaches(body.job_id, 'failed');
  t.equal(service.echo.started.length, 3);
  const job = await service.request(`/v1/jobs/${body.job_id}`, { key });
  t.match(job.body.error, { code: 'internal_error', message: /interrupted 3 times/ });
  t.notMatch(job.text, /a bug/);
  t.equal(service.services.credits.balance(id), 100);
});

t.test('a job that finds no capacity waits and runs later', async (t) => {
  const service = await startJobService(t);
  const { key } = service.account();
  service.echo.failWith = serviceUnavailable('busy');
  const { body } = await service.submit('some audio', key);
  await sleep(100);
  service.echo.failWith = undefined;
  await service.reaches(body.job_id, 'completed');
  t.equal(service.services.store.jobs.get(body.job_id)?.attempts, 1, 'waiting is no attempt');
});

t.test('a full queue is answered 503 at once, and nothing is kept', async (t) => {
  const service = await startJobService(t, { JOB_QUEUE: '2' }, { isRunning: false });
  const { id, key } = service.account();
  await service.submit('one', key);
  await service.submit('two', key);
  const answer = await service.submit('three', key);
  t.equal(answer.status, 503);
  t.match(answer.body.error, { code: 'service_unavailable' });
  t.ok(Number(answer.headers.get('retry-after')) > 0);
  t.equal(service.filesIn('staging').length, 2);
  t.equal(service.services.credits.balance(id), 80);
});

t.test('too few credits leave neither job nor file', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account({ credits: 9 });
  const answer = await service.submit('some audio', key);
  t.equal(answer.status, 402);
  t.match(answer.body.error.details, { cost: 10, balance: 9 });
  await sleep(20);
  t.same(service.filesIn('staging'), []);
});

t.test('a storage without room refuses an upload while it comes, clearly', async (t) => {
  const service = await startJobService(t, { JOB_STORAGE_MIB: '2' }, { isRunning: false });
  const { key } = service.account();
  const answer = await service.submit('x'.repeat(3 << 20), key);
  t.equal(answer.status, 503);
  t.match(answer.body.error, { code: 'service_unavailable', message: /storage for jobs is full/ });
  await sleep(20);
  t.same(service.filesIn('staging'), []);
  t.equal((await service.submit('x'.repeat(1 << 19), key)).status, 202, 'what it had taken is free again');
});

t.test('identical audio is billed once an account and kind', async (t) => {
  const service = await startJobService(t);
  const { id, key } = service.account();
  const first = await service.submit('some audio', key);
  await service.reaches(first.body.job_id, 'completed');
  const again = await service.submit('some audio', key);
  t.equal(again.body._meta.credits_reserved, 0);
  t.not(again.body.job_id, first.body.job_id);
  const other = await service.submit('some audio', key, {}, '?note=other');
  t.equal(other.body._meta.credits_reserved, 10, 'other options are another request');
  t.equal(service.services.credits.balance(id), 80);
});

t.test(
  'canceling a job that waits or runs gives back its credits, and stops it within a second',
  async (t) => {
    const service = await startJobService(t, { JOB_WORKERS: '1' });
    const { id, key } = service.account();
    service.echo.close();
    const running = await service.submit('one', key);
    const waiting = await service.submit('two', key);
    await service.reaches(running.body.job_id, 'processing');
    t.equal(service.services.credits.balance(id), 80);

    const canceled = await service.request(`/v1/jobs/${waiting.body.job_id}`, { method: 'DELETE', key });
    t.match(canceled.body, { status: 'failed', error: { code: 'canceled' }, credits_used: 0 });
    const startedAt = performance.now();
    await service.request(`/v1/jobs/${running.body.job_id}`, { method: 'DELETE', key });
    while (service.services.jobRunner.runningCount > 0) await sleep(5);
    t.ok(performance.now() - startedAt < 1000);
    t.ok(service.echo.started[0]?.signal.aborted);
    t.equal(service.services.credits.balance(id), 100);
    t.equal(service.services.store.jobs.get(running.body.job_id)?.errorCode, 'canceled');
    t.same([...service.filesIn('staging'), ...service.filesIn('results')], []);

    const again = await service.request(`/v1/jobs/${running.body.job_id}`, { method: 'DELETE', key });
    t.equal(again.status, 409);
    t.equal(again.body.error.code, 'job_not_cancelable');
  },
);

t.test('jobs of another account are not known', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { body } = await service.submit('one', service.account().key);
  const { key } = service.account();
  for (const init of [{ key }, { key, method: 'DELETE' }]) {
    const answer = await service.request(`/v1/jobs/${body.job_id}`, init);
    t.equal(answer.status, 404);
    t.equal(answer.body.error.code, 'job_not_found');
  }
  t.equal((await service.request(`/v1/jobs/${body.job_id}/events`, { key })).status, 404);
  t.same((await service.request('/v1/jobs', { key })).body.data, []);
});

t.test('a key without the scope may not', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account({ key: { scopes: ['analyze'] } });
  t.equal((await service.submit('one', key)).body.error.code, 'insufficient_scope');
  t.equal((await service.request('/v1/jobs', { key })).body.error.code, 'insufficient_scope');
});

t.test('jobs are listed newest first, by pages, by status and by endpoint', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.unshift((await service.submit(`audio ${i}`, key)).body.job_id);
    await sleep(2);
  }
  await service.request(`/v1/jobs/${ids[0]}`, { method: 'DELETE', key });
  const idsOf = async (query: string) => {
    const { body } = await service.request(`/v1/jobs${query}`, { key });
    return { ids: body.data.map((job: { job_id: string }) => job.job_id), next: body.next_cursor };
  };
  const first = await idsOf('?limit=3');
  t.same(first.ids, ids.slice(0, 3));
  const second = await idsOf(`?limit=3&cursor=${first.next}`);
  t.same(second, { ids: ids.slice(3), next: null });
  t.same((await idsOf('?status=queued')).ids, ids.slice(1));
  t.same((await idsOf('?status=failed')).ids, ids.slice(0, 1));
  t.same((await idsOf('?endpoint=/v1/audio-features/upload')).ids, []);
  t.equal((await service.request('/v1/jobs?status=odd', { key })).body.error.code, 'invalid_parameter');
});

t.test('a job may be polled once a second, and is told when to ask again', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account();
  const [one, two] = [await service.submit('one', key), await service.submit('two', key)];
  const poll = (answer: typeof one) => service.request(`/v1/jobs/${answer.body.job_id}`, { key });
  t.equal((await poll(one)).headers.get('retry-after'), '2');
  const refused = await poll(one);
  t.equal(refused.status, 429);
  t.equal(refused.body.error.code, 'rate_limit_exceeded');
  t.equal(refused.headers.get('retry-after'), '1');
  t.equal((await poll(two)).status, 200, 'the limit is of each job');
  const hints: (string | null)[] = [];
  for (let i = 0; i < 15; i++) {
    service.clock.now += 1000;
    hints.push((await poll(one)).headers.get('retry-after'));
  }
  t.same(hints, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15].map(String));
});

t.test('progress and stage are shown while a job is processed', async (t) => {
  const service = await startJobService(t);
  const { key } = service.account();
  const open = service.echo.close();
  const { body } = await service.submit('one', key);
  while (service.echo.started.length === 0) await sleep(5);
  const job = await service.request(`/v1/jobs/${body.job_id}`, { key });
  t.match(job.body, { status: 'processing', progress: 0.5, stage: 'waiting', estimated_completion: String });
  open();
  await service.reaches(body.job_id, 'completed');
});

t.test('the end of a job is told by webhook, once, in the words of polling', async (t) => {
  const service = await startJobService(t);
  const receiver = await startReceiver(t);
  const { id, key } = service.account();
  service.services.webhooks.set(id, receiver.url);
  const good = await service.submit('one', key);
  await service.reaches(good.body.job_id, 'completed');
  service.echo.failWith = new ApiError('audio_too_long', 'Too long.');
  const bad = await service.submit('two', key);
  await service.reaches(bad.body.job_id, 'failed');
  service.echo.close();
  service.echo.failWith = undefined;
  const gone = await service.submit('three', key);
  await service.request(`/v1/jobs/${gone.body.job_id}`, { method: 'DELETE', key });
  while (receiver.received.length < 3) await sleep(5);
  await sleep(50);
  t.equal(receiver.received.length, 3);
  const events = receiver.received.map(({ body }) => JSON.parse(body));
  const of = (answer: typeof good) => events.find(({ data }) => data.job_id === answer.body.job_id);
  const polled = await service.request(`/v1/jobs/${good.body.job_id}`, { key });
  t.match(of(good), {
    type: 'job.completed',
    created: Number,
    data: {
      endpoint: '/v1/echo',
      status: 'completed',
      credits_used: 10,
      trace_id: good.body._meta.trace_id,
    },
  });
  t.same(of(good).data.result, polled.body.result);
  t.match(of(bad), {
    type: 'job.failed',
    data: {
      status: 'failed',
      error: { code: 'audio_too_long', message: 'Too long.' },
      trace_id: bad.body._meta.trace_id,
      credits_used: 0,
    },
  });
  t.match(of(gone), { type: 'job.failed', data: { error: { code: 'canceled' } } });
});

t.test('turns go round the accounts, however many jobs one of them has', async (t) => {
  const service = await startJobService(t, { JOB_WORKERS: '1' }, { isRunning: false });
  const [a, b, c] = [service.account(), service.account(), service.account()];
  for (let i = 0; i < 6; i++) await service.submit(`a${i}`, a.key);
  for (let i = 0; i < 2; i++) await service.submit(`b${i}`, b.key);
  await service.submit('c0', c.key);
  service.services.jobRunner.start(() => {});
  while (service.echo.started.length < 9) await sleep(5);
  const order = service.echo.started.map(({ bytes }) => bytes.toString());
  t.same(
    order
      .slice(0, 3)
      .map((each) => each[0])
      .sort(),
    ['a', 'b', 'c'],
  );
  t.same(
    order
      .slice(3, 5)
      .map((each) => each[0])
      .sort(),
    ['a', 'b'],
  );
  t.same(
    order.filter((each) => each.startsWith('a')),
    ['a0', 'a1', 'a2', 'a3', 'a4', 'a5'],
    'within an account, first come, first served',
  );
});

t.test('an upload that is cut off leaves nothing', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { id, key } = service.account();
  const running = httpRequest(`${service.address}/v1/echo`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'audio/wav',
      'content-length': '1000000',
      'idempotency-key': 'k',
    },
  });
  running.on('error', () => {});
  running.write('x'.repeat(100_000));
  while (service.filesIn('staging').length === 0) await sleep(5);
  running.destroy();
  for (let i = 0; i < 100 && service.filesIn('staging').length > 0; i++) await sleep(10);
  t.same(service.filesIn('staging'), []);
  t.equal(service.services.credits.balance(id), 100);
  t.equal(
    (await service.submit('whole', key, { 'idempotency-key': 'k' })).status,
    202,
    'its key is free again',
  );
});
