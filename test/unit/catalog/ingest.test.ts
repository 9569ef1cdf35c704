import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ingestFile } from '../../../src/catalog/ingest.js';
import { Matcher } from '../../../src/catalog/match.js';
import { readTags } from '../../../src/catalog/tags.js';
import type { AnalysisOutput } from '../../../src/native/addon.js';
import { FakeEngine } from '../../helpers/fake-engine.js';
import { add, openCatalog } from '../../helpers/catalog.js';
import { beats } from '../../helpers/signals.js';

const limits = { minDurationS: 0.5, maxDurationS: 600 };
const mbid = 'b1a9c0e9-d987-4042-ae91-78d6a3267d69';

/** A text frame of ID3v2.4, and a whole tag of them. */
function id3(frames: Record<string, string>): Buffer {
  const syncsafe = (n: number) => Buffer.from([(n >> 21) & 127, (n >> 14) & 127, (n >> 7) & 127, n & 127]);
  const body = Object.entries(frames).map(([id, text]) => {
    const [name = '', described] = id.split(':');
    const content = Buffer.from(`\u0003${described === undefined ? '' : `${described}\0`}${text}`);
    return Buffer.concat([Buffer.from(name), syncsafe(content.length), Buffer.from([0, 0]), content]);
  });
  const all = Buffer.concat(body);
  return Buffer.concat([Buffer.from('ID3\u0004\0\0'), syncsafe(all.length), all]);
}

const tagged = id3({
  TPE1: 'Nina Simone',
  TIT2: 'Sinnerman',
  TALB: 'Pastel Blues',
  TSRC: 'US-PR3-65-01234',
  'TXXX:MusicBrainz Release Track Id': '11111111-1111-4111-8111-111111111111',
});

function setUp(t: Test) {
  const catalog = openCatalog(t);
  const directory = t.testdir({ music: {} });
  const engine = new FakeEngine();
  let calls = 0;
  const fake = async (): Promise<{ ok: true; output: AnalysisOutput }> => {
    calls++;
    return {
      ok: true,
      output: await engine.analyze([], { analyses: ['tempo', 'key', 'beatgrid', 'loudness'] }),
    };
  };
  return { catalog, directory, fake, calls: () => calls };
}

t.test('tags name the track and identify it; without them its file name does', async (t) => {
  const directory = t.testdir();
  const path = join(directory, 'x.mp3');
  writeFileSync(path, Buffer.concat([tagged, Buffer.alloc(2000)]));
  t.same(await readTags(path), {
    artist: 'Nina Simone',
    title: 'Sinnerman',
    album: 'Pastel Blues',
    identifiers: [{ platform: 'isrc', value: 'USPR36501234' }],
  });
  const plain = join(directory, 'Some Artist - Some - Song.wav');
  writeFileSync(plain, beats(120, 1));
  t.match(await readTags(plain), { artist: 'Some Artist', title: 'Some - Song', identifiers: [] });
});

t.test('a file is analysed once, and again only when it has changed', async (t) => {
  const { catalog, directory, fake, calls } = setUp(t);
  const path = join(directory, 'Artist - Song.wav');
  writeFileSync(path, beats(120, 1));
  const ingest = (file = path) => ingestFile(catalog, fake, limits, file);
  t.equal((await ingest()).outcome, 'analysed');
  t.equal((await ingest()).outcome, 'unchanged');
  t.equal(calls(), 1);
  const track = new Matcher(catalog).find('Song', 'Artist').candidates[0]!.track;
  t.match(catalog.features.get(track.id), { source: 'analysis', tempo: Number });
  const moved = join(directory, 'Moved.wav');
  renameSync(path, moved);
  t.equal((await ingest(moved)).outcome, 'same audio');
  t.equal(calls(), 1, 'the same bytes elsewhere are the same track');
  writeFileSync(moved, beats(90, 1));
  utimesSync(moved, 1, 1);
  t.equal((await ingest(moved)).outcome, 'analysed');
  t.equal(calls(), 2);
  t.equal(catalog.files.get(moved)?.track, track.id, 'and its track stays the same one');
});

t.test('a file of a recording that is known joins it', async (t) => {
  const { catalog, directory, fake } = setUp(t);
  const known = add(catalog, 'Nina Simone', 'Sinnerman', { identifiers: [`mbid:${mbid}`], popularity: 5 });
  const path = join(directory, 'x.mp3');
  const ufid = Buffer.from(`http://musicbrainz.org\0${mbid}`);
  const frame = Buffer.concat([Buffer.from('UFID'), Buffer.from([0, 0, 0, ufid.length, 0, 0]), ufid]);
  const size = Buffer.from([0, 0, 0, frame.length]);
  writeFileSync(path, Buffer.concat([Buffer.from('ID3\u0004\0\0'), size, frame, Buffer.alloc(2000)]));
  await ingestFile(catalog, fake, limits, path);
  t.equal(catalog.files.get(path)?.track, known);
  t.match(catalog.tracks.get(known), { title: 'Sinnerman', popularity: 5 });
});

t.test('what fails says why, and is left alone until it changes', async (t) => {
  const { catalog, directory } = setUp(t);
  const path = join(directory, 'broken.mp3');
  writeFileSync(path, 'no audio');
  let calls = 0;
  const failing = async () => {
    calls++;
    return { ok: false as const, error: { code: 'undecodable_audio', message: 'no' } };
  };
  for (let i = 0; i < 2; i++) {
    const done = await ingestFile(catalog, failing, limits, path);
    t.match(done, { outcome: 'failed', code: 'undecodable_audio', message: 'no' });
  }
  t.equal(calls, 1);
  t.match(await ingestFile(catalog, failing, limits, join(directory, 'gone.mp3')), { code: 'ENOENT' });
});
