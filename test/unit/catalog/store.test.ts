import fc from 'fast-check';
import t from 'tap';
import { platformNames } from '../../../src/catalog/identifiers/platform.js';
import { add, openCatalog, someFeatures } from '../../helpers/catalog.js';

const oldMbid = '11111111-1111-4111-8111-111111111111';
const newMbid = 'b1a9c0e9-d987-4042-ae91-78d6a3267d69';

t.test('identifiers come back as they went in, whatever they look like', async (t) => {
  const catalog = openCatalog(t);
  const track = add(catalog, 'A', 'B');
  const value = fc.oneof(
    fc.uuid(),
    fc.stringMatching(/^[0-9A-Za-z]{22}$/),
    fc.integer({ min: 1 }).map(String),
    fc.stringMatching(/^[0-9]{11}$/),
    fc.constantFrom('00000000001', '1e5', '0', '-1', '9007199254740993', 'Infinity'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...platformNames), value, (platform, text) => {
      catalog.identifiers.add({ platform, value: text }, track);
      const all = catalog.identifiers.ofTrack(track);
      return (
        catalog.identifiers.tracks({ platform, value: text }, 2).join() === String(track) &&
        all.some((each) => each.platform === platform && each.value === text)
      );
    }),
  );
});

t.test('an ISRC of several recordings gives them all', async (t) => {
  const catalog = openCatalog(t);
  const ids = ['One', 'Two'].map((title) => add(catalog, 'A', title, { identifiers: ['GBARL9300135'] }));
  t.same(catalog.identifiers.tracks({ platform: 'isrc', value: 'GBARL9300135' }, 10), ids);
  t.same(catalog.identifiers.tracks({ platform: 'isrc', value: 'GBARL9300136' }, 10), []);
});

t.test('merged MBIDs are followed, and a circle of them ends', async (t) => {
  const catalog = openCatalog(t);
  const track = add(catalog, 'A', 'B', { identifiers: [`mbid:${newMbid}`] });
  const between = '22222222-2222-4222-8222-222222222222';
  catalog.identifiers.redirect(oldMbid, between);
  catalog.identifiers.redirect(between, newMbid);
  t.same(catalog.identifiers.tracks({ platform: 'mbid', value: oldMbid }, 10), [track]);
  const [a, b] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'] as const;
  catalog.identifiers.redirect(a, b);
  catalog.identifiers.redirect(b, a);
  t.same(catalog.identifiers.tracks({ platform: 'mbid', value: a }, 10), []);
});

t.test('features come back as they went in', async (t) => {
  const catalog = openCatalog(t);
  const track = add(catalog, 'A', 'B');
  const features = {
    ...someFeatures,
    track,
    energy: 0,
    key: 0,
    isMajor: false,
    reasons: { liveness: 'not_analysed' },
  };
  catalog.features.put(features);
  t.same(catalog.features.get(track), features);
  catalog.features.put({ ...features, source: 'other', isMajor: null, key: null });
  t.match(catalog.features.get(track), { source: 'other', key: null, isMajor: null, energy: 0 });
  t.equal(catalog.features.get(track + 1), undefined);
});

t.test('a transaction that fails leaves nothing', async (t) => {
  const catalog = openCatalog(t);
  t.throws(() =>
    catalog.transaction(() => {
      add(catalog, 'A', 'B', { identifiers: ['GBARL9300135'] });
      throw new Error('power cut');
    }),
  );
  t.same(catalog.identifiers.tracks({ platform: 'isrc', value: 'GBARL9300135' }, 10), []);
  t.equal(catalog.tracks.get(1), undefined);
});
