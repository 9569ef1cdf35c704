import { connect } from 'node:net';
import t from 'tap';
import { errorTable, serviceUnavailable } from '../../src/errors.js';
import type { FakeEngine } from '../helpers/fake-engine.js';
import { startService, type TestService, upload } from '../helpers/service.js';

t.test('an unknown address is told in the envelope, with a trace id', async (t) => {
  const service = await startService(t);
  const answer = await service.request('/v1/nothing');
  t.equal(answer.status, 404);
  t.match(answer.body, {
    error: { code: 'not_found' },
    _meta: { credits_used: 0, credits_remaining: null, trace_id: answer.headers.get('x-trace-id') },
  });
});

t.test("the caller's trace id is taken over from traceparent, when it is valid", async (t) => {
  const service = await startService(t);
  const id = '4bf92f3577b34da6a3ce929d0e0e4736';
  const ask = async (traceparent: string) =>
    (await service.request('/healthz', { headers: { traceparent } })).headers.get('x-trace-id');
  t.equal(await ask(`00-${id}-00f067aa0ba902b7-01`), id);
  for (const bad of [
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${id}-0000000000000000-01`,
    `ff-${id}-00f067aa0ba902b7-01`,
    id,
  ]) {
    t.not(await ask(bad), id, bad);
  }
});

t.test('whoever asks for problem details gets RFC 9457', async (t) => {
  const service = await startService(t);
  const answer = await service.request('/v1/bpm', {
    method: 'POST',
    headers: { accept: 'application/problem+json' },
  });
  t.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  t.match(answer.body, {
    status: 401,
    code: 'missing_api_key',
    title: String,
    detail: String,
    trace_id: String,
  });
});

t.test('failures before routing carry a trace id and the envelope too', async (t) => {
  const service = await startService(t);
  for (const bytes of ['GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'nonsense\r\n\r\n']) {
    const text = await raw(service, bytes);
    t.match(text, /^HTTP\/1.1 400 /);
    t.match(text, /x-trace-id: [0-9a-f]{32}/i);
    t.match(JSON.parse(text.split('\r\n\r\n')[1] ?? ''), {
      error: { code: 'bad_request' },
      _meta: { trace_id: String },
    });
  }
});

t.test('what goes wrong inside is not shown, but the log line is found by the trace id', async (t) => {
  const service = await startService(t);
  const { id, key } = service.account();
  service.engine.failWith = new Error('SELECT secret FROM /etc/passwd');
  const answer = await service.request('/v1/bpm', upload('audio', key));
  t.equal(answer.status, 500);
  t.equal(answer.body.error.code, 'internal_error');
  t.notMatch(answer.text, /SELECT|passwd|\.ts|at /);
  t.equal(service.services.credits.balance(id), 100, 'and nothing is billed');
});

t.test('a full engine is told at once with Retry-After', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  service.engine.failWith = serviceUnavailable('All analysis threads are busy.');
  const answer = await service.request('/v1/bpm', upload('audio', key));
  t.equal(answer.status, 503);
  t.equal(answer.headers.get('retry-after'), '1');
});

t.test('unknown, misspelt and impossible parameters are named', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const unknown = await service.request('/v1/lufs?timelin=true', upload('audio', key));
  t.match(unknown.body.error, { code: 'invalid_parameter', param: 'timelin', message: /takes timeline/ });
  const wrong = await service.request('/v1/lufs?timeline=maybe', upload('audio', key));
  t.match(wrong.body.error, {
    code: 'invalid_parameter',
    param: 'timeline',
    message: /"maybe": expected true or false/,
  });
  const list = await service.request('/v1/assets?limit=1000', { key });
  t.match(list.body.error, { code: 'invalid_parameter', param: 'limit', message: /from 1 to 100/ });
  t.equal(service.engine.calls.length, 0);
});

t.test('the table gives each code one status of its class', async (t) => {
  for (const [code, { status, title }] of Object.entries(errorTable)) {
    t.ok(status >= 400 && status < 600 && title.length > 10, code);
  }
});

function raw(service: TestService<FakeEngine>, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => (text += String(piece)));
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}
