import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:net';
import t from 'tap';
import { isPrivateAddress, publicLookup } from '../../../src/webhooks/address.js';
import { post } from '../../../src/webhooks/post.js';
import { answer, startReceiver } from '../../helpers/receiver.js';
import { WebhookDesk } from '../../helpers/webhook-desk.js';

const open = { allowPrivate: true };

t.test('addresses of this machine and its networks are private, in every way of writing them', async (t) => {
  const privates = [
    '127.0.0.1',
    '127.255.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'localhost',
    '',
  ];
  for (const address of privates) t.ok(isPrivateAddress(address), address);
  for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])
    t.notOk(isPrivateAddress(address), address);
});

t.test('a name that resolves to a private address is refused when the connection is made', async (t) => {
  const looked = await new Promise<[Error | null, LookupAddress[]]>((resolve) =>
    publicLookup('localhost', { all: true }, (error, found) => resolve([error, found as LookupAddress[]])),
  );
  t.equal(looked[0]?.name, 'PrivateAddressError');
  t.same(looked[1], []);

  const receiver = await startReceiver(t);
  const { port } = new URL(receiver.url);
  for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
    const result = await post(`http://${host}:${port}/`, {}, 'body', { allowPrivate: false });
    t.match(result, { statusCode: null, error: /private or link-local/ }, host);
  }
  t.equal(receiver.received.length, 0);
});

t.test(
  'a receiver address must be http or https, public unless allowed, and without a password',
  async (t) => {
    const { Webhooks } = await import('../../../src/webhooks/webhooks.js');
    const desk = await WebhookDesk.start(t);
    const strict = new Webhooks(desk.store, { allowPrivate: false });
    for (const url of [
      'example.com',
      'ftp://example.com/',
      'http://user:pass@example.com/',
      'http://localhost/',
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
    ])
      t.throws(() => strict.set(desk.account, url), { code: 'invalid_parameter' }, url);
    t.equal(strict.set(desk.account, 'https://example.com/hooks').url, 'https://example.com/hooks');
  },
);

t.test('only a 2xx is a success, and a redirect is not followed', async (t) => {
  const receiver = await startReceiver(t);
  for (const [status, ok] of [
    [200, true],
    [204, true],
    [299, true],
    [302, false],
    [400, false],
    [500, false],
  ] as const) {
    receiver.behave = (response) => response.writeHead(status, { location: '/elsewhere' }).end();
    const result = await post(receiver.url, {}, 'body', open);
    t.match(result, { statusCode: status, error: ok ? null : `the receiver answered ${status}` });
  }
  t.ok(receiver.received.every(({ path }) => path === '/hooks'));
});

t.test('a receiver that is slow, silent, cut off or not there has failed', async (t) => {
  const receiver = await startReceiver(t);
  const quick = { ...open, timeoutMs: 200 };
  receiver.behave = () => {};
  t.match(await post(receiver.url, {}, '', quick), { statusCode: null, error: /within 0.2 s/ });
  receiver.behave = (response) => void response.writeHead(200).write('never ends');
  t.match(await post(receiver.url, {}, '', quick), { statusCode: null, error: /within 0.2 s/ });
  receiver.behave = (response) => response.socket?.destroy();
  t.match(await post(receiver.url, {}, '', open), { statusCode: null, error: String });
  receiver.behave = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('part');
    setTimeout(() => response.socket?.destroy(), 20);
  };
  t.match(await post(receiver.url, {}, '', open), { statusCode: null, error: String }, 'cut off half-way');
  t.match(await post('http://127.0.0.1:1/', {}, '', open), { statusCode: null, error: /ECONNREFUSED/ });
  t.match(await post('http://no-such-host.invalid/', {}, '', open), { statusCode: null, error: String });
});

t.test('what is no HTTP at all has failed too', async (t) => {
  const server = createServer((socket) => socket.end('nonsense\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  t.match(await post(`http://127.0.0.1:${port}/`, {}, '', open), { statusCode: null, error: String });
});

t.test('at most 64 KiB of an answer are kept, and no more is waited for', async (t) => {
  const receiver = await startReceiver(t);
  receiver.behave = answer(200, 'x'.repeat(1_000_000));
  const result = await post(receiver.url, {}, 'body', open);
  t.equal(result.error, null);
  t.equal(result.responseBody?.length, 65_536);
});
