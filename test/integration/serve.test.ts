import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Store } from '../../src/store/store.js';
import { outputUntil, start, tonearm } from '../helpers/cli.js';
import { beats } from '../helpers/signals.js';

const quiet = { PORT: '0', LOG_LEVEL: 'silent', THREADS: '1' };

function post(address: string, key: string, body: Buffer): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'audio/wav' };
  return fetch(`${address}/v1/key-bpm`, { method: 'POST', headers, body });
}

t.test(
  'the first start makes an account, prints its keys and a line to try; SIGTERM loses nothing',
  async (t) => {
    const env = { ...quiet, DATA_DIR: t.testdir() };
    const service = start(['serve'], env);
    t.teardown(() => service.kill('SIGKILL'));
    const output = await outputUntil(service, /curl .*\n/);
    const address = /http:\/\/\S+:\d+/.exec(output)?.[0] ?? '';
    const key = /svc_live_\w+/.exec(output)?.[0] ?? '';
    t.match(output, /svc_test_\w{43}/);
    t.match(output, new RegExp(`curl .*${key}.*sample\\.wav.*${address}/v1/`));

    const running = post(address, key, beats(120, 240));
    await sleep(150);
    service.kill('SIGTERM');
    const answer = await running;
    t.equal(answer.status, 200, 'what ran when the signal came is finished');
    await once(service, 'exit');
    t.equal(service.exitCode, 0);
    await t.rejects(fetch(address), 'and nothing listens any more');

    const again = start(['serve'], env);
    t.teardown(() => again.kill('SIGKILL'));
    t.notMatch(await outputUntil(again, /listens on .*\n/), /svc_live/, 'keys are shown once');
    again.kill('SIGINT');
    await once(again, 'exit');
    t.equal(again.exitCode, 0);
  },
);

t.test(
  'killed in the middle of a request, the service gives the reservation back when it starts again',
  async (t) => {
    const env = { ...quiet, DATA_DIR: t.testdir() };
    const service = start(['serve'], env);
    const output = await outputUntil(service, /curl .*\n/);
    const address = /http:\/\/\S+:\d+/.exec(output)?.[0] ?? '';
    const key = /svc_live_\w+/.exec(output)?.[0] ?? '';
    const running = post(address, key, beats(120, 240)).catch(() => 'gone');
    const store = Store.open(env.DATA_DIR);
    t.teardown(() => store.close());
    while (store.ledger.openReservations('request:').length === 0) await sleep(2);
    service.kill('SIGKILL');
    t.equal(await running, 'gone');
    const { id, balance } = store.accounts.list()[0]!;
    t.equal(balance, 9996, 'reserved when it died');

    const again = start(['serve'], env);
    t.teardown(() => again.kill('SIGKILL'));
    await outputUntil(again, /listens on .*\n/);
    t.equal(store.accounts.get(id)?.balance, 10_000);
    t.equal(store.ledger.sum(id), 10_000);
    again.kill('SIGTERM');
    await once(again, 'exit');
  },
);

t.test('settings that are wrong are all told, and nothing starts', async (t) => {
  const { code, stderr } = await tonearm(['serve'], { PORT: 'x', THREADS: '-1', DATA_DIR: t.testdir() });
  t.equal(code, 1);
  t.match(stderr, /PORT.*\n.*THREADS/s);
});
