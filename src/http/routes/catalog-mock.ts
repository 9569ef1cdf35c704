import { SeededRandom } from '../../analyses/seeded-random.js';
import { storedFeatures } from '../../catalog/analysed.js';
import { type CompatFeatures, toCompatFeatures } from '../../catalog/compat.js';
import type { Found } from '../../catalog/find.js';
import type { Identifier } from '../../catalog/identifiers/identifier.js';
import { type FeaturesRecord, toFeaturesRecord } from '../../catalog/records.js';
import { type ResolvedRecord, toResolvedRecord } from '../../catalog/resolved.js';
import { keyBpm } from '../../analyses/key-bpm.js';
import type { Features } from '../../store/catalog/features.js';
import type { Wanted } from './catalog-input.js';

// What lookups answer a test key: made up from what was asked, in the shape of the real thing.

function made({ text, byName }: Wanted) {
  const random = new SeededRandom(text);
  const [artist = '', title = ''] = byName
    ? text.split('\n')
    : ['Test Artist', `Test Song ${random.integer(1, 999)}`];
  const durationMs = random.integer(120_000, 300_000);
  const track = { id: random.integer(1, 1e9), artist, title, album: null, durationMs, popularity: 0 };
  const found: Found = { track, score: 1, candidates: [{ track, score: 1 }] };
  const tonality = keyBpm.mock(random, {});
  const features: Features = {
    ...storedFeatures(track.id, tonality, random.number(-20, -6)),
    energy: random.integer(0, 100),
    danceability: random.integer(0, 100),
  };
  const isrc = `QZTST${random.integer(1_000_000, 9_999_999)}`;
  const identifiers: Identifier[] = [{ platform: 'isrc', value: isrc }];
  return { found, features, identifiers, isrc, byName };
}

export function mockFeatures(wanted: Wanted): FeaturesRecord {
  const { found, features, isrc, byName } = made(wanted);
  return toFeaturesRecord(found, features, isrc, byName);
}

export function mockCompat(wanted: Wanted, base: string): CompatFeatures {
  const { found, features, identifiers } = made(wanted);
  return toCompatFeatures(found.track, features, identifiers, base);
}

export function mockResolved(wanted: Wanted): ResolvedRecord {
  const { found, features, identifiers, byName } = made(wanted);
  return toResolvedRecord(found, features, identifiers, byName);
}
