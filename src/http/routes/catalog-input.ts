import { Type } from '@sinclair/typebox';
import type { Found, TrackFinder } from '../../catalog/find.js';
import { formatIdentifier } from '../../catalog/identifiers/identifier.js';
import { parseIdentifier } from '../../catalog/identifiers/parse.js';
import { ApiError } from '../../errors.js';

export const maxTracks = 100;
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

export const idParams = Type.Object({
  id: Type.String({
    minLength: 1,
    description:
      'Any identifier of the track: `isrc:…`, `mbid:…`, `spotify:…`, `apple:…`, `deezer:…`, `youtube:…`, `tidal:…`, `amazon:…`, `beatport:…`, `discogs:…`, `trk_…`, the address of its public page (percent-encoded) or a platform’s URI, a bare ISRC, MusicBrainz or Spotify id',
    examples: ['isrc:GBARL9300135'],
  }),
});

export const song = Name('Title of the song, with its version if it is not the original');
export const artist = Name('Artist');
export const namesQuery = { song: Type.Optional(song), artist: Type.Optional(artist) };

/** What a batch takes: identifiers, or songs with their artists. */
export const batchBody = Type.Object({
  ids: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, maxItems: maxTracks, description: 'Identifiers' }),
  ),
  tracks: Type.Optional(Type.Array(Type.Object({ song, artist }), { minItems: 1, maxItems: maxTracks })),
});

/** One track asked for: how to find it, and a text that says which it is. */
export interface Wanted {
  text: string;
  byName: boolean;
  find(finder: TrackFinder): Found;
}

/** Throws ApiError for what is no identifier. */
export function wantedById(id: string, param = 'id'): Wanted {
  const identifier = parseIdentifier(id, param);
  return {
    text: formatIdentifier(identifier),
    byName: false,
    find: (finder) => finder.byIdentifier(identifier),
  };
}

function wantedByNames(title: string, by: string): Wanted {
  return { text: `${by}\n${title}`, byName: true, find: (finder) => finder.byNames(title, by) };
}

/** The one track of a query by song and artist. Throws ApiError missing_parameter. */
export function wantedByQuery(query: Record<string, unknown>): Wanted {
  for (const param of ['song', 'artist'] as const) {
    if (query[param] !== undefined) continue;
    throw new ApiError(
      'missing_parameter',
      `The query parameter "${param}" is missing: a track is asked for by "song" and "artist" together, or by its identifier in the path.`,
      { param },
    );
  }
  return wantedByNames(query.song as string, query.artist as string);
}

/** The tracks of a batch. Throws ApiError where neither or both ways are used, or an identifier is none. */
export function wantedByBody(body: unknown): Wanted[] {
  const { ids, tracks } = body as { ids?: string[]; tracks?: { song: string; artist: string }[] };
  if (ids && tracks) {
    throw new ApiError('invalid_parameter', 'The body has both "ids" and "tracks": send one of them.', {
      param: 'tracks',
    });
  }
  if (ids) return ids.map((id, i) => wantedById(id, `ids.${i}`));
  if (tracks) return tracks.map((each) => wantedByNames(each.song, each.artist));
  throw new ApiError(
    'missing_parameter',
    'The body names no tracks: expected {"ids": ["…"]} or {"tracks": [{"song": "…", "artist": "…"}]}.',
    { param: 'ids' },
  );
}

/** `?ids=`, separated by commas. */
export function wantedByIds(ids: string): Wanted[] {
  const list = ids.split(',');
  if (list.length > maxTracks) {
    throw new ApiError(
      'invalid_parameter',
      `"ids" names ${list.length} tracks: expected at most ${maxTracks}.`,
      {
        param: 'ids',
      },
    );
  }
  return list.map((id) => wantedById(id, 'ids'));
}

/** Of a batch, a track that is not known is undefined. */
export function findOrUndefined(wanted: Wanted, finder: TrackFinder): Found | undefined {
  try {
    return wanted.find(finder);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'track_not_found') return undefined;
    throw error;
  }
}
