import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { CatalogStore } from '../../src/store/catalog/catalog.js';
import { add, someFeatures } from '../helpers/catalog.js';
import { beats } from '../helpers/signals.js';
import { startRealService, startService } from '../helpers/service.js';

const spotifyId = '4PTG3Z6ehGkBFwjybzWkR8';
const mbid = 'b1a9c0e9-d987-4042-ae91-78d6a3267d69';

function addKnown(catalog: CatalogStore): number {
  const id = add(catalog, 'Rick Astley', 'Never Gonna Give You Up', {
    identifiers: ['isrc:GBARL9300135', `spotify:${spotifyId}`, `mbid:${mbid}`, 'deezer:781592622'],
  });
  catalog.features.put({ ...someFeatures, track: id, source: 'imported', energy: 94, happiness: 0 });
  return id;
}

function addFile(catalog: CatalogStore, directory: string, bytes: Buffer): number {
  const id = add(catalog, 'Local Artist', 'Local Song');
  const path = join(directory, 'song.wav');
  writeFileSync(path, bytes);
  const file = {
    path,
    bytes: bytes.length,
    modifiedMs: 0,
    sha256: null,
    errorCode: null,
    errorMessage: null,
  };
  catalog.files.put({ ...file, track: id });
  return id;
}

t.test('any identifier gives the same features, free', async (t) => {
  const service = await startService(t);
  addKnown(service.services.store.catalog);
  const { key } = service.account({ credits: 0 });
  const ids = [
    'GBARL9300135',
    'isrc:GB-ARL-93-00135',
    spotifyId,
    `https://open.spotify.com/intl-de/track/${spotifyId}?si=1234567890abcdef&utm_source=${'x'.repeat(120)}`,
    mbid,
    'https://www.deezer.com/en/track/781592622',
    'trk_1',
  ];
  for (const id of ids) {
    const { status, body } = await service.request(`/v1/audio-features/${encodeURIComponent(id)}`, { key });
    t.equal(status, 200, id);
    t.match(body, {
      track_id: 'trk_1',
      artist: 'Rick Astley',
      isrc: 'GBARL9300135',
      tempo: 113.33,
      tempo_half: 56.67,
      key: 'C#',
      mode: 'major',
      camelot: '3B',
      open_key: '8d',
      energy: 94,
      happiness: 0,
      liveness: null,
      source: 'imported',
      reasons: { liveness: 'not_in_source' },
      _meta: { cache: 'hit', credits_used: 0, credits_remaining: 0 },
    });
    t.notOk('match' in body, 'there was nothing to choose');
  }
});

t.test('song and artist are matched, and the answer says how well', async (t) => {
  const service = await startService(t);
  addKnown(service.services.store.catalog);
  const { key } = service.account({ credits: 0 });
  for (const path of ['audio-features', 'key-bpm', 'resolve']) {
    const { body } = await service.request(`/v1/${path}?song=never+gona+give+you+up&artist=RICK+ASTLEY`, {
      key,
    });
    t.match(body, { title: 'Never Gonna Give You Up', tempo: 113.33, match: { score: Number } }, path);
    t.ok(body.match.score > 0.9 && body.match.score < 1);
    const live = await service.request(`/v1/${path}?song=Never+Gonna+Give+You+Up+(Live)&artist=Rick+Astley`, {
      key,
    });
    t.match(live.body.error, {
      code: 'track_not_found',
      details: { other_versions: [{ track_id: 'trk_1' }] },
    });
    const half = await service.request(`/v1/${path}?song=Song`, { key });
    t.match(half.body.error, { code: 'missing_parameter', param: 'artist' });
  }
});

t.test('what is not known, not clear or not allowed is refused for free', async (t) => {
  const service = await startService(t);
  const { key } = service.account();
  const expected: Record<string, [number, string]> = {
    'isrc:GBARL9300199': [404, 'track_not_found'],
    trk_zzz: [404, 'track_not_found'],
    '781592622': [400, 'ambiguous_identifier'],
    'https://spotify.link/abc': [400, 'invalid_parameter'],
    nonsense: [400, 'invalid_parameter'],
  };
  for (const [id, [status, code]] of Object.entries(expected)) {
    for (const path of ['audio-features', 'key-bpm', 'beatgrid', 'lufs', 'resolve']) {
      const answer = await service.request(`/v1/${path}/${encodeURIComponent(id)}`, { key });
      t.equal(answer.status, status, `${path} ${id}`);
      t.match(answer.body, { error: { code }, _meta: { credits_used: 0, credits_remaining: 100 } });
    }
  }
});

t.test('the compatible form has all 18 fields and its own errors', async (t) => {
  const service = await startService(t);
  const catalog = service.services.store.catalog;
  addKnown(catalog);
  add(catalog, 'No', 'Features', { identifiers: ['deezer:5'] });
  const { key } = service.account();
  const one = await service.request(`/v1/audio-features/${spotifyId}?format=compat`, { key });
  const { _meta, ...object } = one.body;
  const base = service.address;
  const whole = {
    acousticness: null,
    analysis_url: `${base}/v1/audio-analysis/${spotifyId}`,
    danceability: null,
    duration_ms: 213_573,
    energy: 0.94,
    id: spotifyId,
    instrumentalness: null,
    key: 1,
    liveness: null,
    loudness: -11.5,
    mode: 1,
    speechiness: null,
    tempo: 113.33,
    time_signature: 4,
    track_href: `${base}/v1/resolve/${spotifyId}`,
    type: 'audio_features',
    uri: `spotify:track:${spotifyId}`,
    valence: 0,
  };
  t.same(object, whole);
  t.equal(Object.keys(object).length, 18);
  const list = await service.request(
    `/v1/audio-features?ids=isrc:QZTST2100001,${spotifyId},deezer:5&format=compat`,
    {
      key,
    },
  );
  t.same(list.body, { audio_features: [null, whole, null] }, 'in order, and nothing beside it');
  const missing = await service.request('/v1/audio-features/isrc:QZTST2100001?format=compat', { key });
  t.same(Object.keys(missing.body), ['error']);
  t.match(missing.body.error, { status: 404, message: String });
});

t.test('a batch keeps its order, and says null of what is not known', async (t) => {
  const service = await startService(t);
  addKnown(service.services.store.catalog);
  const { key } = service.account();
  const post = (path: string, body: object) =>
    service.request(path, {
      method: 'POST',
      key,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const ids = ['deezer:1', 'GBARL9300135', 'trk_1'];
  const features = await post('/v1/audio-features', { ids });
  t.match(features.body, { audio_features: [null, { track_id: 'trk_1' }, { track_id: 'trk_1' }] });
  const listed = await service.request(`/v1/audio-features?ids=${ids.join()}`, { key });
  t.same(listed.body.audio_features, features.body.audio_features);
  const tracks = [
    { song: 'Never gonna give you up', artist: 'Rick Astley' },
    { song: 'Unknown', artist: 'Nobody' },
  ];
  const resolved = await post('/v1/resolve', { tracks });
  t.match(resolved.body, {
    data: [
      { platforms: { deezer: [{ id: 'deezer:781592622', url: 'https://www.deezer.com/track/781592622' }] } },
      null,
    ],
  });
  t.equal((await post('/v1/resolve', { ids: ['12345'] })).body.error.code, 'ambiguous_identifier');
  t.equal((await post('/v1/resolve', { ids: Array(101).fill('trk_1') })).status, 400);
  t.equal((await post('/v1/resolve', { ids, tracks })).status, 400);
  t.equal((await post('/v1/resolve', {})).body.error.code, 'missing_parameter');
});

t.test('an ISRC of several recordings answers with the best known and all candidates', async (t) => {
  const service = await startService(t);
  const { catalog } = service.services.store;
  add(catalog, 'A', 'Less Known', { identifiers: ['GBARL9300135'], popularity: 1 });
  const best = add(catalog, 'A', 'Best Known', { identifiers: ['GBARL9300135'], popularity: 9 });
  const { body } = await service.request('/v1/resolve/GBARL9300135', { key: service.account().key });
  t.match(body, { title: 'Best Known', track_id: `trk_${best}` });
  t.same(
    body.match.candidates.map(({ title }: { title: string }) => title),
    ['Best Known', 'Less Known'],
  );
});

t.test(
  'a track whose audio is here is analysed at its first lookup, billed once, and found after',
  async (t) => {
    const service = await startRealService(t);
    const { catalog } = service.services.store;
    addFile(catalog, t.testdir({}), beats(120, 12));
    const { key } = service.account({ credits: 5 });
    const first = await service.request('/v1/audio-features?song=Local+Song&artist=Local+Artist', { key });
    t.match(first.body, { key: 'C', mode: 'major', source: 'analysis', duration_s: 12, energy: null });
    t.match(first.body.reasons, { energy: 'not_analysed' });
    t.ok(Math.abs(first.body.tempo - 120) < 1, `${first.body.tempo} BPM`);
    t.match(first.body._meta, { cache: 'miss', credits_used: 2, credits_remaining: 3 });
    for (const path of ['audio-features', 'key-bpm', 'beatgrid', 'lufs']) {
      const again = await service.request(`/v1/${path}/trk_1`, { key });
      t.match(again.body._meta, { cache: 'hit', credits_used: 0, credits_remaining: 3 }, path);
    }
    const grid = await service.request('/v1/beatgrid/trk_1', { key });
    t.ok(grid.body.beats.length > 15);
    const { body } = await service.request('/v1/lufs/trk_1', { key });
    t.equal(body.integrated_lufs, first.body.loudness_lufs);
  },
);

t.test('nothing is billed for an analysis that fails, cannot be paid or is not allowed', async (t) => {
  const service = await startRealService(t);
  addFile(service.services.store.catalog, t.testdir({}), Buffer.from('no audio at all'));
  const { key } = service.account();
  const failed = await service.request('/v1/audio-features/trk_1', { key });
  t.match(failed.body, {
    error: { code: /undecodable_audio|unsupported_media_type/ },
    _meta: { credits_remaining: 100 },
  });
  const many = await service.request('/v1/audio-features?ids=trk_1,trk_2', { key });
  t.match(many.body, { audio_features: [null, null], _meta: { credits_used: 0, credits_remaining: 100 } });
  const poor = await service.request('/v1/audio-features/trk_1', {
    key: service.account({ credits: 1 }).key,
  });
  t.match(poor.body.error, { code: 'insufficient_credits', details: { cost: 2, balance: 1 } });
});

t.test('in read-only mode hits are answered and misses refused', async (t) => {
  const service = await startService(t, { READ_ONLY: 'true' });
  const { catalog } = service.services.store;
  addKnown(catalog);
  addFile(catalog, t.testdir({}), beats(120, 1));
  const { key } = service.account();
  t.equal((await service.request('/v1/audio-features/trk_1', { key })).status, 200);
  t.equal((await service.request('/v1/audio-features/trk_2', { key })).body.error.code, 'read_only');
});
