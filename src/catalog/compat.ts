import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../analyses/schema.js';
import type { Features } from '../store/catalog/features.js';
import type { Track } from '../store/catalog/tracks.js';
import type { Identifier } from './identifiers/identifier.js';
import { trackId } from './find.js';

const Share = Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'null while it is not known' }));

/** The third party's audio-features object, whole. Unlike there, what is not known is null and not made up. */
export const compatFeatures = Type.Object({
  acousticness: Share,
  analysis_url: Type.String(),
  danceability: Share,
  duration_ms: Nullable(Type.Integer({ minimum: 0 })),
  energy: Share,
  id: Type.String(),
  instrumentalness: Share,
  key: Type.Integer({
    minimum: -1,
    maximum: 11,
    description: 'Pitch class, 0 is C; −1 while it is not known',
  }),
  liveness: Share,
  loudness: Nullable(Type.Number({ description: 'Programme loudness, LUFS' })),
  mode: Nullable(Type.Integer({ minimum: 0, maximum: 1, description: '1 major, 0 minor' })),
  speechiness: Share,
  tempo: Nullable(Type.Number({ exclusiveMinimum: 0 })),
  time_signature: Nullable(Type.Integer({ minimum: 1, maximum: 16 })),
  track_href: Type.String(),
  type: Type.Literal('audio_features'),
  uri: Type.String(),
  valence: Share,
});
export type CompatFeatures = Static<typeof compatFeatures>;

const share = (score: number | null) => (score === null ? null : score / 100);

/** `base`: the service's address, without a slash at its end. The id is the third party's own where it is known. */
export function toCompatFeatures(
  track: Track,
  features: Features,
  identifiers: Identifier[],
  base: string,
): CompatFeatures {
  const theirs = identifiers.find(({ platform }) => platform === 'spotify')?.value;
  const id = theirs ?? trackId(track.id);
  return {
    acousticness: share(features.acousticness),
    analysis_url: `${base}/v1/audio-analysis/${id}`,
    danceability: share(features.danceability),
    duration_ms: track.durationMs,
    energy: share(features.energy),
    id,
    instrumentalness: share(features.instrumentalness),
    key: features.key ?? -1,
    liveness: share(features.liveness),
    loudness: features.loudnessLufs,
    mode: features.isMajor === null ? null : Number(features.isMajor),
    speechiness: share(features.speechiness),
    tempo: features.tempo,
    time_signature: features.timeSignature,
    track_href: `${base}/v1/resolve/${id}`,
    type: 'audio_features',
    uri: theirs === undefined ? id : `spotify:track:${theirs}`,
    valence: share(features.happiness),
  };
}
