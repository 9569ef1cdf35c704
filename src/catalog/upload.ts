import type { AnalysisOutput } from '../native/addon.js';
import type { CatalogStore } from '../store/catalog/catalog.js';
import { addTrack } from './add-track.js';
import { storeAnalysis } from './analysed.js';
import type { Identifier } from './identifiers/identifier.js';
import { Matcher } from './match.js';

/** What a caller says of an upload. */
export interface UploadTags {
  artist?: string;
  title?: string;
  isrc?: string;
}

/**
 * Puts an analysed upload into the catalogue under its names or ISRC; returns the track's row, or undefined when neither
 * was sent. A track whose features are known keeps them: the catalogue is everybody's, and one account's upload must not
 * rewrite what all others are told.
 */
export function catalogUpload(
  catalog: CatalogStore,
  tags: UploadTags,
  output: AnalysisOutput,
): number | undefined {
  const { artist, title, isrc } = tags;
  const identifiers: Identifier[] = isrc === undefined ? [] : [{ platform: 'isrc', value: isrc }];
  const isNamed = artist !== undefined && title !== undefined;
  if (!isNamed && identifiers.length === 0) return undefined;
  return catalog.transaction(() => {
    const known = knownTrack(catalog, tags, identifiers);
    if (known !== undefined && catalog.features.get(known) !== undefined) return known;
    const names = { artist: artist ?? '', title: title ?? '' };
    const track =
      known ?? addTrack(catalog, { ...names, album: null, durationMs: null, popularity: 0 }, identifiers);
    storeAnalysis(catalog, track, output);
    return track;
  });
}

/** By ISRC, where one was sent; else by both names, and then only without a doubt. */
function knownTrack(
  catalog: CatalogStore,
  { artist, title }: UploadTags,
  identifiers: Identifier[],
): number | undefined {
  const [isrc] = identifiers;
  if (isrc) return catalog.identifiers.tracks(isrc, 1)[0];
  const [best] = new Matcher(catalog).find(title ?? '', artist ?? '').candidates;
  return best?.score === 1 ? best.track.id : undefined;
}
