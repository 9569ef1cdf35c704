import { type Static, Type } from '@sinclair/typebox';
import { bpm, mockTempo, tempoResult } from '../analyses/bpm.js';
import { mergeFlat, stageOutput } from '../analyses/definition.js';
import { key, keyResult, mockKey } from '../analyses/key.js';
import { Nullable, Reasons } from '../analyses/schema.js';
import { trackStages } from '../catalog/analysed.js';
import { trackId } from '../catalog/find.js';
import { catalogUpload } from '../catalog/upload.js';
import { scoreNames } from '../store/catalog/features.js';
import { defineJobKind } from './definition.js';

const { confidence: tempoConfidence, alternatives: _t, reasons: _r, ...tempoFields } = tempoResult.properties;
const { confidence: keyConfidence, alternatives: _k, reasons: _s, ...keyFields } = keyResult.properties;

const Score = Nullable(Type.Integer({ minimum: 0, maximum: 100 }));

const featuresRecord = Type.Object({
  track_id: Nullable(Type.String({ description: 'Id of the track in the catalogue' })),
  artist: Nullable(Type.String()),
  title: Nullable(Type.String()),
  isrc: Nullable(Type.String()),
  duration_s: Type.Number({ minimum: 0 }),
  ...tempoFields,
  tempo_confidence: tempoConfidence,
  ...keyFields,
  key_confidence: keyConfidence,
  energy: Score,
  danceability: Score,
  happiness: Score,
  acousticness: Score,
  instrumentalness: Score,
  speechiness: Score,
  liveness: Score,
  loudness_lufs: Nullable(Type.Number({ description: 'Programme loudness (ITU-R BS.1770-5), LUFS' })),
  source: Type.Literal('analysis'),
  reasons: Reasons,
});
type FeaturesRecord = Static<typeof featuresRecord>;

const Name = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: `${what}, for the catalogue` }));

export const audioFeatures = defineJobKind({
  name: 'audio-features/upload',
  summary: 'Audio features of an upload',
  description:
    'Analyses an upload as a whole and gives its audio features record. With artist and title, or an ISRC, the result goes into the catalogue, unless the track is known there already.',
  price: 10,
  typicalS: 10,
  options: Type.Object({
    artist: Name('Artist'),
    title: Name('Title'),
    isrc: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}[A-Z0-9]{3}\\d{7}$',
        description: 'International Standard Recording Code without hyphens, for the catalogue',
      }),
    ),
  }),
  result: featuresRecord,
  async run({ options, readAudio, engine, catalog, minDurationS, maxDurationS, signal, report }) {
    report('reading', 0);
    const audio = await readAudio();
    report('analysis', 0.1);
    const output = await engine.analyze(audio, { analyses: trackStages, minDurationS, maxDurationS }, signal);
    const { integrated_lufs, reasons } = stageOutput(output, 'loudness');
    const loudness = {
      loudness_lufs: integrated_lufs,
      ...(reasons?.integrated_lufs !== undefined && { reasons: { loudness_lufs: reasons.integrated_lufs } }),
    };
    const parts = [
      { fields: stageOutput(output, 'tempo'), names: bpm.flatNames },
      { fields: stageOutput(output, 'key'), names: key.flatNames },
      { fields: loudness, names: {} },
    ];
    const track = catalogUpload(catalog, options, output);
    return toRecord(output.audio.duration_s, parts, options, track);
  },
  mock(random) {
    const parts = [
      { fields: mockTempo(random), names: bpm.flatNames },
      { fields: mockKey(random), names: key.flatNames },
      { fields: { loudness_lufs: random.number(-24, -7) }, names: {} },
    ];
    return toRecord(random.number(60, 300, 3), parts, {});
  },
});

function toRecord(
  durationS: number,
  parts: { fields: object; names: Record<string, string> }[],
  { artist = null, title = null, isrc = null }: Partial<Record<'artist' | 'title' | 'isrc', string | null>>,
  track?: number,
): FeaturesRecord {
  const record: Record<string, unknown> = {
    track_id: track === undefined ? null : trackId(track),
    artist,
    title,
    isrc,
    duration_s: durationS,
    ...Object.fromEntries(scoreNames.map((name) => [name, null])),
    source: 'analysis',
    reasons: {
      ...(track === undefined && { track_id: 'not_in_catalogue' }),
      // The engine has no measure of them yet.
      ...Object.fromEntries(scoreNames.map((name) => [name, 'not_measured'])),
    },
  };
  for (const { fields, names } of parts) mergeFlat(record, fields, names);
  // Other candidates are what the analyses of tempo and key are for.
  delete record.tempo_alternatives;
  delete record.key_alternatives;
  return record as FeaturesRecord;
}
