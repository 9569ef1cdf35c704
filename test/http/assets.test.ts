import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Assets } from '../../src/accounts/assets.js';
import { FileStore } from '../../src/store/files.js';
import { startService, type TestService, upload } from '../helpers/service.js';

const filesOf = ({ services }: TestService<unknown>) => readdirSync(join(services.config.dataDir, 'assets'));

function json(body: object, key: string): RequestInit & { key: string } {
  return { method: 'POST', body: JSON.stringify(body), key, headers: { 'content-type': 'application/json' } };
}

t.test('an asset is uploaded once and analysed by its id, like the bytes themselves', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const made = await service.request('/v1/assets/upload', upload('some audio', key));
  t.equal(made.status, 201);
  t.equal(made.body._meta.credits_used, 0);
  const { asset_id } = made.body as { asset_id: string };
  const again = await service.request('/v1/assets/upload', upload('some audio', key));
  t.equal(again.body.asset_id, asset_id, 'same account and bytes, same asset');
  const answer = await service.request('/v1/lufs', json({ asset_id, timeline: true }, key));
  t.ok(answer.body.timeline, 'options go beside it');
  t.equal(service.engine.calls[0]?.bytes.toString(), 'some audio');
  const repeat = await service.request('/v1/lufs?timeline=true', upload('some audio', key));
  t.equal(repeat.body._meta.cache, 'hit');
});

t.test('files have random names and are for their owner alone', async (t) => {
  const service = await startService(t);
  const made = await service.request('/v1/assets/upload', upload('some audio', service.account().key));
  const [name, ...more] = filesOf(service);
  t.same(more, []);
  t.match(name, /^[0-9a-f]{32}$/);
  t.notMatch(JSON.stringify(made.body), new RegExp(name!));
  t.equal(statSync(join(service.services.config.dataDir, 'assets', name!)).mode & 0o777, 0o600);
});

t.test('accounts do not see the assets of others', async (t) => {
  const service = await startService(t);
  const { body } = await service.request('/v1/assets/upload', upload('some audio', service.account().key));
  const { key } = service.account();
  for (const answer of [
    await service.request(`/v1/assets/${body.asset_id}`, { key }),
    await service.request(`/v1/assets/${body.asset_id}`, { key, method: 'DELETE' }),
    await service.request('/v1/bpm', json({ asset_id: body.asset_id }, key)),
  ]) {
    t.equal(answer.status, 404);
    t.equal(answer.body.error.code, 'asset_not_found');
  }
  t.same((await service.request('/v1/assets', { key })).body.data, []);
  const own = await service.request('/v1/assets/upload', upload('some audio', key));
  t.not(own.body.asset_id, body.asset_id);
});

t.test('a list comes in pages, newest first', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.unshift((await service.request('/v1/assets/upload', upload(`audio ${i}`, key))).body.asset_id);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await service.request(`/v1/assets?limit=2${cursor && `&cursor=${cursor}`}`, { key });
    t.ok(page.body.data.length <= 2);
    seen.push(...page.body.data.map(({ asset_id }: { asset_id: string }) => asset_id));
    cursor = page.body.next_cursor as string | null;
  }
  t.same(seen, ids);
  const bad = await service.request('/v1/assets?cursor=nonsense', { key });
  t.match(bad.body.error, { code: 'invalid_parameter', param: 'cursor' });
});

t.test('a deleted asset is gone, row and file', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const { body } = await service.request('/v1/assets/upload', upload('some audio', key));
  t.equal((await service.request(`/v1/assets/${body.asset_id}`, { key, method: 'DELETE' })).status, 200);
  t.same(filesOf(service), []);
  t.equal((await service.request(`/v1/assets/${body.asset_id}`, { key })).status, 404);
});

t.test('after their time assets are gone, and with them whatever a crash left behind', async (t) => {
  const service = await startService(t, { ASSET_TTL_H: '24' });
  const { store } = service.services;
  const files = new FileStore(service.services.config.dataDir, 'assets');
  let now = Date.now();
  const assets = new Assets(service.services.config, store, files, () => now);
  const { id } = service.account();
  const audio = { chunks: [Buffer.from('x')], sha256: Buffer.alloc(32, 1), byteLength: 1 };
  const asset = await assets.keep(id, audio);
  await files.write([Buffer.from('written, but the process died before the row')]);
  t.equal(filesOf(service).length, 2);
  assets.sweep();
  t.same(filesOf(service), [asset.file]);
  now += 24 * 3_600_000;
  t.throws(() => assets.get(id, asset.id), { code: 'asset_not_found' }, 'at once, not only after the sweep');
  new Assets(service.services.config, store, files, () => now).sweep();
  t.same(filesOf(service), []);
});
