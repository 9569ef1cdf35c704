import type { Test } from 'tap';
import { addTrack } from '../../src/catalog/add-track.js';
import { parseIdentifier } from '../../src/catalog/identifiers/parse.js';
import { CatalogStore } from '../../src/store/catalog/catalog.js';
import type { Features } from '../../src/store/catalog/features.js';

export function openCatalog(t: Test): CatalogStore {
  const catalog = CatalogStore.open(t.testdir());
  t.teardown(() => catalog.close());
  return catalog;
}

/** Adds a track by its names; returns its id. */
export function add(
  catalog: CatalogStore,
  artist: string,
  title: string,
  { identifiers = [], popularity = 0 }: { identifiers?: string[]; popularity?: number } = {},
): number {
  const track = { artist, title, album: null, durationMs: 213_573, popularity };
  return addTrack(
    catalog,
    track,
    identifiers.map((each) => parseIdentifier(each)),
  );
}

export const someFeatures: Omit<Features, 'track'> = {
  source: 'analysis',
  tempo: 113.33,
  tempoConfidence: 0.97,
  timeSignature: 4,
  key: 1,
  isMajor: true,
  keyConfidence: 0.8,
  loudnessLufs: -11.5,
  energy: null,
  danceability: null,
  happiness: null,
  acousticness: null,
  instrumentalness: null,
  speechiness: null,
  liveness: null,
  reasons: {},
};
