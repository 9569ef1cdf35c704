import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { EngineProcess } from '../../src/engine/engine-process.js';
import { CanceledError } from '../../src/errors.js';
import { startRealService, upload } from '../helpers/service.js';
import { beats, sine, wav } from '../helpers/signals.js';

const everything = { analyses: ['tempo', 'beatgrid', 'key', 'loudness'] as const };
const request = { analyses: [...everything.analyses], minDurationS: 0.5, maxDurationS: 86_400 };

/** Minutes of stereo noise: seconds of work. */
function long(minutes: number): Buffer {
  let state = 1;
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 0.5;
  };
  const second = wav(44_100, noise, { channels: 2 });
  const header = Buffer.from(second.subarray(0, 44));
  header.writeUInt32LE((second.length - 44) * 60 * minutes, 40);
  return Buffer.concat([header, ...Array<Buffer>(60 * minutes).fill(second.subarray(44))]);
}

async function startEngine(
  t: { teardown: (end: () => Promise<void>) => void },
  threads: number,
  queue: number,
) {
  const engine = new EngineProcess({ threads, queue, timeoutS: 300 });
  t.teardown(() => engine.close());
  await engine.start();
  return engine;
}

t.test('the engine analyses what it is sent in pieces', async (t) => {
  const engine = await startEngine(t, 1, 0);
  const bytes = beats(120, 20);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 100_000) }, (_, i) =>
    bytes.subarray(i * 100_000, (i + 1) * 100_000),
  );
  const output = await engine.analyze(pieces, request);
  t.equal(output.audio.duration_s, 20);
  t.ok(Math.abs((output.tempo?.tempo ?? 0) - 120) < 1 || Math.abs((output.tempo?.tempo ?? 0) - 60) < 1);
  t.same(await engine.analyze([bytes], request), output, 'and the same bytes give the same answer');
});

t.test('a full engine refuses at once', async (t) => {
  const engine = await startEngine(t, 1, 1);
  const bytes = long(2);
  const running = [engine.analyze([bytes], request), engine.analyze([bytes], request)];
  const asked = performance.now();
  await t.rejects(engine.analyze([bytes], request), {
    code: 'service_unavailable',
    headers: { 'retry-after': '1' },
  });
  t.ok(performance.now() - asked < 50);
  t.match(engine.status(), { running: 1, queued: 1 });
  await Promise.all(running);
  t.match(engine.status(), { running: 0, queued: 0 });
});

t.test('a canceled analysis stops and leaves its thread to others', async (t) => {
  const engine = await startEngine(t, 1, 0);
  const bytes = long(10);
  const controller = new AbortController();
  const running = engine.analyze([bytes], request, controller.signal);
  running.catch(() => {});
  while (engine.status().running === 0) await sleep(5);
  await sleep(100);
  controller.abort();
  await t.rejects(running, CanceledError);
  t.equal((await engine.analyze([beats(120, 5)], request)).audio.duration_s, 5);
});

t.test('a waiting analysis that is canceled never starts', async (t) => {
  const engine = await startEngine(t, 1, 1);
  const first = engine.analyze([long(2)], request);
  const controller = new AbortController();
  const second = engine.analyze([beats(120, 5)], request, controller.signal);
  controller.abort();
  await t.rejects(second, CanceledError);
  await first;
});

t.test('an analysis over its time is stopped', async (t) => {
  const engine = new EngineProcess({ threads: 1, queue: 0, timeoutS: 0.3 });
  t.teardown(() => engine.close());
  await engine.start();
  await t.rejects(engine.analyze([long(10)], request), { code: 'internal_error', message: /longer than/ });
  t.equal(engine.status().restarts, 0, 'by its flag, not by force');
});

for (const signal of ['SIGSEGV', 'SIGKILL'] as const) {
  t.test(
    `when the engine dies of ${signal}, only what ran there fails, and the shell starts it again`,
    async (t) => {
      const service = await startRealService(t);
      const { id, key } = service.account();
      const running = service.request('/v1/key-bpm', upload(long(5), key));
      while (service.engine.status().running === 0) await sleep(10);
      await sleep(200);
      process.kill(service.engine.pid!, signal);
      const answer = await running;
      t.equal(answer.status, 500);
      t.equal(answer.body.error.code, 'internal_error');
      t.equal(service.services.credits.balance(id), 100, 'nothing is billed');
      t.equal((await service.request('/v1/account', { key })).status, 200, 'the shell goes on');
      t.equal((await service.request('/healthz')).status, 200);
      t.equal((await service.request('/readyz')).status, 503, 'not ready meanwhile');
      while (!service.engine.status().ready) await sleep(20);
      t.equal((await service.request('/v1/bpm', upload(beats(100, 5), key))).status, 200);
      t.equal(service.engine.status().restarts, 1);
    },
  );
}

t.test(
  'uploads that the engine has no room for are 503 at once, and repeats are still answered',
  async (t) => {
    const service = await startRealService(t, { THREADS: '1', ENGINE_QUEUE: '0' });
    const { key } = service.account();
    const known = wav(44_100, sine(440, 0.5));
    t.equal((await service.request('/v1/lufs', upload(known, key))).status, 200);
    const running = service.request('/v1/key-bpm', upload(long(2), key));
    while (service.engine.status().running === 0) await sleep(10);
    const refused = await service.request('/v1/bpm', upload(beats(100, 5), key));
    t.equal(refused.status, 503);
    t.equal(refused.body.error.code, 'service_unavailable');
    t.equal(refused.headers.get('retry-after'), '1');
    t.equal((await service.request('/v1/lufs', upload(known, key))).body._meta.cache, 'hit');
    t.equal((await running).status, 200);
  },
);
