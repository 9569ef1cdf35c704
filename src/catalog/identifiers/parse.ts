import { ApiError } from '../../errors.js';
import { formatIdentifier, type Identifier, platforms } from './identifier.js';
import { platformNames, type PlatformName } from './platform.js';
import { isShortHost } from './short-links.js';

const all = platformNames.map((name) => platforms[name]);
const maxLength = 2000;

/** In what song.link's addresses, which hold another platform's id, call that platform. */
const songLinkPlatforms: Record<string, PlatformName> = {
  s: 'spotify',
  i: 'apple',
  d: 'deezer',
  y: 'youtube',
  t: 'tidal',
};

/**
 * Reads any form of api.md: prefixed, bare where it can be only one thing, URI, address of a public page (with or without
 * scheme, percent-encoded or not). Throws ApiError ambiguous_identifier for a bare number, and invalid_parameter for what
 * names no track, with what would.
 */
export function parseIdentifier(input: string, param = 'id'): Identifier {
  const text = decoded(input.trim());
  if (text === '' || text.length > maxLength) throw notAnIdentifier(text, param);
  const found = fromPage(text, param) ?? fromUri(text) ?? fromPrefix(text, param) ?? fromBare(text, param);
  if (!found) throw notAnIdentifier(text, param);
  return found;
}

/** Undone once more for those who encode what is encoded already. */
function decoded(text: string): string {
  if (!/^[\w.+-]+%3a/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function identifier(platform: PlatformName, text: string | undefined): Identifier | undefined {
  const value = text === undefined ? undefined : platforms[platform].canonical(text);
  return value === undefined ? undefined : { platform, value };
}

function fromPage(text: string, param: string): Identifier | undefined {
  const hasScheme = /^https?:\/\//i.test(text);
  if (!hasScheme && !/^([a-z0-9-]+\.)+[a-z]{2,}(:\d+)?\//i.test(text)) return undefined;
  const url =
    URL.canParse(hasScheme ? text : `https://${text}`) && new URL(hasScheme ? text : `https://${text}`);
  if (!url) throw notAnIdentifier(text, param);
  const host = url.hostname.replace(/\.$/, '');
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (host === 'song.link' || host === 'odesli.co') {
    const platform = songLinkPlatforms[segments.at(-2) ?? ''];
    const found = platform && identifier(platform, segments.at(-1));
    if (found) return found;
    throw needsNetwork(host, param);
  }
  if (isShortHost(host)) throw needsNetwork(host, param);
  if (host.endsWith('musicbrainz.org') && segments.at(-2) === 'isrc') {
    const found = identifier('isrc', segments.at(-1));
    if (found) return found;
  }
  const platform = all.find(({ hosts }) => hosts?.test(host));
  if (!platform) throw unknownHost(host, param);
  const found = identifier(platform.name, platform.fromUrl?.(url, segments));
  if (found) return found;
  throw new ApiError(
    'invalid_parameter',
    `This address of ${host} names no track: expected the page of a ${platform.title}, such as ${platform.url(platform.example) ?? ''}.`,
    { param },
  );
}

function fromUri(text: string): Identifier | undefined {
  for (const platform of all) {
    const found = identifier(platform.name, platform.fromUri?.(text));
    if (found) return found;
  }
  return undefined;
}

function fromPrefix(text: string, param: string): Identifier | undefined {
  const [, prefix, rest = ''] = /^([a-z]+)[:_](.*)$/is.exec(text) ?? [];
  const name = platformNames.find((each) => each === prefix?.toLowerCase());
  // Ours is written with a line, all others with a colon.
  if (name === undefined || (name === 'trk') !== (text.charAt(name.length) === '_')) return undefined;
  const found = identifier(name, rest.trim());
  if (found) return found;
  const { title, example } = platforms[name];
  throw new ApiError(
    'invalid_parameter',
    `"${shown(rest)}" is no id of a ${title}: expected one such as ${formatIdentifier({ platform: name, value: example })}.`,
    { param },
  );
}

function fromBare(text: string, param: string): Identifier | undefined {
  const found = identifier('isrc', text) ?? identifier('mbid', text) ?? identifier('spotify', text);
  if (!found && /^\d+$/.test(text)) throw ambiguous(text, param);
  return found;
}

function ambiguous(text: string, param: string): ApiError {
  const candidates = (['apple', 'deezer', 'tidal', 'beatport', 'discogs'] as const)
    .flatMap((platform) => identifier(platform, text) ?? [])
    .map(formatIdentifier);
  return new ApiError(
    'ambiguous_identifier',
    `"${shown(text)}" is a number that several platforms could have given out. Send it with its platform${candidates.length > 0 ? `: ${candidates.join(', ')}` : ''}.`,
    { param, details: { candidates } },
  );
}

function needsNetwork(host: string, param: string): ApiError {
  return new ApiError(
    'invalid_parameter',
    `Addresses of ${host} are short links, which only the network can follow, and the service does not. Open it and send the address it leads to.`,
    { param },
  );
}

function unknownHost(host: string, param: string): ApiError {
  return new ApiError(
    'invalid_parameter',
    `Pages of ${shown(host)} are not understood: expected one of Spotify, Apple Music, Deezer, YouTube, TIDAL, Amazon, Beatport, Discogs or MusicBrainz.`,
    { param },
  );
}

function notAnIdentifier(text: string, param: string): ApiError {
  return new ApiError(
    'invalid_parameter',
    `"${shown(text)}" is no track identifier: expected ${platformNames
      .filter((name) => name !== 'trk')
      .map((name) => `${name}:…`)
      .join(', ')}, trk_…, a platform's address or URI, or a bare ISRC, MusicBrainz or Spotify id.`,
    { param },
  );
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
