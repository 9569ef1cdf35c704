import t from 'tap';
import { Keys } from '../../src/accounts/keys.js';
import { startService, upload } from '../helpers/service.js';

t.test('no key and a wrong key are 401 with a challenge', async (t) => {
  const service = await startService(t);
  const none = await service.request('/v1/account');
  t.equal(none.body.error.code, 'missing_api_key');
  t.equal(none.headers.get('www-authenticate'), 'Bearer');
  const { key } = service.account();
  const last = key.endsWith('0') ? '1' : '0';
  for (const wrong of [
    key.slice(0, -1) + last,
    `${key}0`,
    'svc_live_',
    key.replace('live', 'test'),
    'x'.repeat(5000),
  ]) {
    const answer = await service.request('/v1/account', { key: wrong });
    t.equal(answer.status, 401);
    t.equal(answer.body.error.code, 'invalid_api_key');
    t.match(answer.headers.get('www-authenticate'), /^Bearer error=/);
  }
  const basic = await service.request('/v1/account', { headers: { authorization: `Basic ${key}` } });
  t.equal(basic.body.error.code, 'invalid_api_key');
});

t.test('a revoked or expired key is refused at once, with the words for an unknown one', async (t) => {
  const service = await startService(t);
  const { id, key } = service.account();
  const keys = new Keys(service.services.store);
  t.equal((await service.request('/v1/account', { key })).status, 200);
  const unknown = await service.request('/v1/account', { key: `${key.slice(0, 9)}${'A'.repeat(43)}` });
  t.ok(keys.revoke(service.services.store.keys.listByAccount(id)[0]!.id));
  const revoked = await service.request('/v1/account', { key });
  t.same(revoked.body.error, unknown.body.error);
  const expired = keys.create(id, 'live', { expiresAt: Date.now() - 1 });
  t.same((await service.request('/v1/account', { key: expired.secret })).body.error, unknown.body.error);
});

t.test('a rotated key lives on for the overlap and no longer', async (t) => {
  const service = await startService(t);
  const { store } = service.services;
  let now = Date.now();
  const keys = new Keys(store, () => now);
  const { id } = service.account();
  const old = keys.create(id, 'live', { name: 'server', scopes: ['analyze'] });
  const fresh = keys.rotate(old.key.id, 24);
  t.same([fresh.key.name, fresh.key.scopes, fresh.key.mode], ['server', ['analyze'], 'live']);
  t.equal(keys.authenticate(`Bearer ${old.secret}`).id, old.key.id);
  now += 24 * 3_600_000;
  t.throws(() => keys.authenticate(`Bearer ${old.secret}`), { code: 'invalid_api_key' });
  t.equal(keys.authenticate(`bearer ${fresh.secret}`).id, fresh.key.id);
  t.throws(() => keys.rotate(fresh.key.id, 73), RangeError);
});

t.test('only the hash of a key is stored, and its last use', async (t) => {
  const service = await startService(t);
  const { id, key } = service.account();
  await service.request('/v1/account', { key });
  const [stored] = service.services.store.keys.listByAccount(id);
  t.notMatch(JSON.stringify(stored), new RegExp(key.slice(9, -4)));
  t.ok(Math.abs(Date.now() - (stored?.lastUsedAt ?? 0)) < 5000);
});

t.test('a key without the scope of an endpoint is told which it lacks', async (t) => {
  const service = await startService(t);
  const { key } = service.account({ key: { scopes: ['account'] } });
  t.equal((await service.request('/v1/account', { key })).status, 200);
  const answer = await service.request('/v1/bpm', upload('audio', key));
  t.equal(answer.status, 403);
  t.match(answer.body.error, {
    code: 'insufficient_scope',
    details: { required: 'analyze', scopes: ['account'] },
  });
});
