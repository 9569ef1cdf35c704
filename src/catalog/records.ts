import { type Static, Type } from '@sinclair/typebox';
import { keyResult, modes, pitchClasses, wheel } from '../analyses/key.js';
import { BeatsPerMinute, Confidence, Nullable, Reasons } from '../analyses/schema.js';
import type { Features } from '../store/catalog/features.js';
import { analysisSource } from './analysed.js';
import { candidateFields, type Found, trackId } from './find.js';

const Score = (description: string) =>
  Nullable(Type.Integer({ minimum: 0, maximum: 100, description: `${description}, 0–100` }));

export const Match = Type.Object(
  {
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: '1: the names are the same but for their writing',
    }),
    candidates: Type.Array(
      Type.Object({
        track_id: Type.String(),
        artist: Type.String(),
        title: Type.String(),
        score: Confidence,
      }),
      { description: 'All that could have been meant, the one answered with first' },
    ),
  },
  {
    description:
      'How the track was found, where song and artist were sent or several recordings share the identifier',
  },
);

const { key, mode, camelot, open_key } = keyResult.properties;

export const featuresRecord = Type.Object({
  track_id: Type.String({ description: 'Our own id of the track' }),
  artist: Type.String(),
  title: Type.String(),
  duration_s: Nullable(Type.Number({ minimum: 0, description: 'Seconds' })),
  isrc: Nullable(Type.String()),
  tempo: Nullable(BeatsPerMinute),
  tempo_confidence: Nullable(Confidence),
  tempo_half: Nullable(Type.Number({ exclusiveMinimum: 0, description: 'Half the tempo' })),
  tempo_double: Nullable(Type.Number({ exclusiveMinimum: 0, description: 'Twice the tempo' })),
  time_signature: Nullable(Type.Integer({ minimum: 1, maximum: 16, description: 'Beats in a bar' })),
  key,
  mode,
  camelot,
  open_key,
  key_confidence: Nullable(Confidence),
  loudness_lufs: Nullable(Type.Number({ description: 'Programme loudness (ITU-R BS.1770-5), LUFS' })),
  energy: Score('How intense it is'),
  danceability: Score('How well it can be danced to'),
  happiness: Score('How happy it sounds'),
  acousticness: Score('How acoustic it is'),
  instrumentalness: Score('How free of singing it is'),
  speechiness: Score('How much it is speech'),
  liveness: Score('How much it sounds like an audience was there'),
  source: Type.String({ description: '`analysis`, or the data set it was imported from' }),
  match: Type.Optional(Match),
  reasons: Reasons,
});
export type FeaturesRecord = Static<typeof featuresRecord>;

const hundredths = (value: number) => Math.round(value * 100) / 100;

/** Key and tempo as they stand on the wire. */
export function tonalFields({ key: tonic, isMajor }: Pick<Features, 'key' | 'isMajor'>) {
  if (tonic === null || isMajor === null) return { key: null, mode: null, camelot: null, open_key: null };
  const place = wheel(tonic, isMajor ? 'major' : 'minor');
  return {
    key: pitchClasses[tonic]!,
    mode: modes[isMajor ? 0 : 1],
    camelot: place.camelot,
    open_key: place.openKey,
  };
}

export function tempoFields({ tempo }: Pick<Features, 'tempo'>) {
  return {
    tempo: tempo === null ? null : hundredths(tempo),
    tempo_half: tempo === null ? null : hundredths(tempo / 2),
    tempo_double: tempo === null ? null : hundredths(tempo * 2),
  };
}

export function toFeaturesRecord(
  { track, ...found }: Found,
  features: Features,
  isrc: string | null,
  byName: boolean,
): FeaturesRecord {
  const record: FeaturesRecord = {
    track_id: trackId(track.id),
    artist: track.artist,
    title: track.title,
    duration_s: track.durationMs === null ? null : track.durationMs / 1000,
    isrc,
    ...tempoFields(features),
    tempo_confidence: features.tempoConfidence,
    time_signature: features.timeSignature,
    ...tonalFields(features),
    key_confidence: features.keyConfidence,
    loudness_lufs: features.loudnessLufs,
    energy: features.energy,
    danceability: features.danceability,
    happiness: features.happiness,
    acousticness: features.acousticness,
    instrumentalness: features.instrumentalness,
    speechiness: features.speechiness,
    liveness: features.liveness,
    source: features.source,
    ...matchFields({ track, ...found }, byName),
  };
  const reasons = reasonsOf(record, features);
  return Object.keys(reasons).length > 0 ? { ...record, reasons } : record;
}

/** `match`, where there was something to choose. */
export function matchFields({ score, candidates }: Found, byName: boolean) {
  if (!byName && candidates.length < 2) return {};
  return { match: { score, candidates: candidates.map(candidateFields) } };
}

/** Why each field of the record that is null is so; of the identifier and the length, null says it all. */
function reasonsOf(record: object, { source, reasons }: Features): Record<string, string> {
  const missing = source === analysisSource ? 'not_analysed' : 'not_in_source';
  const unexplained = new Set(['isrc', 'duration_s']);
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name, value]) => value === null && !unexplained.has(name))
      .map(([name]) => [name, reasons[name] ?? missing]),
  );
}
