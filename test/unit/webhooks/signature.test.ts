import { createHmac } from 'node:crypto';
import t from 'tap';
import { sign, verify } from '../../../src/webhooks/signature.js';
import { WebhookDesk } from '../../helpers/webhook-desk.js';

t.test('the signature is HMAC-SHA256 over time, dot and raw body', async (t) => {
  const expected = createHmac('sha256', 'secret').update('1700000000.{"a":1}').digest('hex');
  t.equal(sign(['secret'], 1_700_000_000, '{"a":1}'), `t=1700000000,v1=${expected}`);
});

t.test('a signature is told from one that is forged, malformed or old', async (t) => {
  const header = sign(['one', 'two'], 1000, 'body');
  t.equal(verify(header, 'one', 'body', 1300), 'valid');
  t.equal(verify(header, 'two', 'body', 700), 'valid');
  t.equal(verify(header, 'one', 'body', 1301), 'expired');
  t.equal(verify(header, 'three', 'body', 1000), 'mismatch');
  t.equal(verify(header, 'one', 'body ', 1000), 'mismatch');
  t.equal(verify(header.replace('t=1000', 't=1001'), 'one', 'body', 1000), 'mismatch');
  t.equal(verify('t=1000', 'one', 'body', 1000), 'malformed');
  t.equal(verify('v1=00', 'one', 'body', 1000), 'malformed');
  t.equal(verify('t=1000,v1=zz', 'one', 'body', 1000), 'mismatch');
});

t.test('what a receiver gets is signed with the time of sending, each attempt anew', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.receiver.behave = (response) => response.writeHead(500).end();
  desk.enqueue();
  await desk.pump();
  await desk.pass(61);
  const { secret } = desk.webhooks.existing(desk.account);
  const [first, second] = desk.receiver.received;
  const startS = Math.floor(desk.nowMs / 1000) - 61;
  t.match(first?.headers['x-service-signature'], new RegExp(`^t=${startS},v1=[0-9a-f]{64}$`));
  t.equal(verify(String(second?.headers['x-service-signature']), secret, second!.body, startS + 60), 'valid');
  t.match(JSON.parse(first!.body), { type: 'job.completed', created: startS, data: { job_id: 'job_1' } });
  t.equal(first?.headers['content-type'], 'application/json');
});

t.test('during a rotation two signatures are sent, after it one', async (t) => {
  const desk = await WebhookDesk.start(t);
  const old = desk.webhooks.existing(desk.account).secret;
  const { secret } = desk.webhooks.rotateSecret(desk.account, 1);
  t.not(secret, old);
  const send = async () => {
    desk.enqueue();
    await desk.pump();
    const { headers, body } = desk.receiver.received.at(-1)!;
    const header = String(headers['x-service-signature']);
    return [secret, old].map((each) => verify(header, each, body, desk.nowMs / 1000));
  };
  t.same(await send(), ['valid', 'valid']);
  desk.nowMs += 3_600_001;
  t.same(await send(), ['valid', 'mismatch']);
});
