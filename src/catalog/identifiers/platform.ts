/** Who gives out an identifier; also its prefix, as in `spotify:…`. */
export const platformNames = [
  'isrc',
  'mbid',
  'spotify',
  'apple',
  'deezer',
  'youtube',
  'tidal',
  'amazon',
  'beatport',
  'discogs',
  'trk',
] as const;
export type PlatformName = (typeof platformNames)[number];

/** What there is to know of one platform's identifiers. All functions are pure; nothing here asks the network. */
export interface Platform {
  name: PlatformName;
  /** For messages. */
  title: string;
  /** An id as it looks, for messages. */
  example: string;
  /** The one way the id is written, out of any way it is; undefined when it cannot be an id of this platform. */
  canonical(text: string): string | undefined;
  /** Its public page; undefined when the platform has none for it. */
  url(value: string): string | undefined;
  /** Hosts of its pages. */
  hosts?: RegExp;
  /** The id in the address of a page on one of `hosts`, not yet canonical; undefined when it names no track. */
  fromUrl?(url: URL, segments: string[]): string | undefined;
  /** The id in a URI of another scheme than http, such as `spotify:track:…`. */
  fromUri?(uri: string): string | undefined;
}

/** The path segment that follows the last segment called `name`. */
export function segmentAfter(segments: string[], ...names: string[]): string | undefined {
  const at = segments.findLastIndex((segment) => names.includes(segment.toLowerCase()));
  return at < 0 ? undefined : segments[at + 1];
}

/** Numbers given out in sequence; none has more than 15 digits. */
export function positiveNumber(text: string): string | undefined {
  return /^0*[1-9]\d{0,14}$/.test(text) ? text.replace(/^0+/, '') : undefined;
}
