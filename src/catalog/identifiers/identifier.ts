import { amazon } from './amazon.js';
import { apple } from './apple.js';
import { beatport } from './beatport.js';
import { deezer } from './deezer.js';
import { discogs } from './discogs.js';
import { isrc } from './isrc.js';
import { musicbrainz } from './musicbrainz.js';
import { own } from './own.js';
import type { Platform, PlatformName } from './platform.js';
import { spotify } from './spotify.js';
import { tidal } from './tidal.js';
import { youtube } from './youtube.js';

/** Which track is meant, by one platform's name for it; `value` is canonical. */
export interface Identifier {
  platform: PlatformName;
  value: string;
}

/** Every platform there is. A new one is added here. */
export const platforms: Readonly<Record<PlatformName, Platform>> = {
  isrc,
  mbid: musicbrainz,
  spotify,
  apple,
  deezer,
  youtube,
  tidal,
  amazon,
  beatport,
  discogs,
  trk: own,
};

/** The one way an identifier is written: `spotify:…`, and `trk_…` for our own. */
export function formatIdentifier({ platform, value }: Identifier): string {
  return platform === 'trk' ? `trk_${value}` : `${platform}:${value}`;
}

/** The track's page on its platform; undefined for our own. */
export function identifierUrl({ platform, value }: Identifier): string | undefined {
  return platforms[platform].url(value);
}
