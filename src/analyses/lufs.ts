import { type Static, Type } from '@sinclair/typebox';
import { defineAnalysis, stageOutput } from './definition.js';
import { Nullable, Reasons } from './schema.js';
import type { SeededRandom } from './seeded-random.js';

const Lufs = (description: string) => Nullable(Type.Number({ description: `${description}, LUFS` }));

const timeline = Type.Object(
  {
    step_s: Type.Number({ exclusiveMinimum: 0, description: 'Seconds between values' }),
    momentary_lufs: Type.Array(Nullable(Type.Number()), { description: '400 ms window; null where silent' }),
    short_term_lufs: Type.Array(Nullable(Type.Number()), { description: '3 s window; null where silent' }),
  },
  { description: 'Only with `timeline=true`' },
);

export const loudnessResult = Type.Object({
  integrated_lufs: Lufs('Programme loudness (ITU-R BS.1770-5)'),
  loudness_range_lu: Nullable(Type.Number({ minimum: 0, description: 'Loudness range (EBU Tech 3342), LU' })),
  max_momentary_lufs: Lufs('Loudest 400 ms'),
  max_short_term_lufs: Lufs('Loudest 3 s'),
  true_peak_dbtp: Nullable(Type.Number({ description: 'Highest true peak of all channels, dBTP' })),
  sample_peak_dbfs: Nullable(Type.Number({ description: 'Highest sample of all channels, dBFS' })),
  channels: Type.Integer({ minimum: 1 }),
  sample_rate_hz: Type.Integer({ minimum: 1 }),
  duration_s: Type.Number({ minimum: 0 }),
  replaygain_db: Nullable(
    Type.Number({ description: 'Gain that brings the audio to −18 LUFS (ReplayGain 2.0), dB' }),
  ),
  timeline: Type.Optional(timeline),
  reasons: Reasons,
});
export type LoudnessResult = Static<typeof loudnessResult>;

export const lufs = defineAnalysis({
  name: 'lufs',
  version: 1,
  summary: 'Loudness',
  description: 'Measures loudness, loudness range and peaks of an upload as EBU R 128 asks.',
  price: 3,
  scope: 'analyze',
  options: Type.Object({
    timeline: Type.Boolean({ default: false, description: 'Loudness over time too' }),
  }),
  result: loudnessResult,
  stages: ['loudness'],
  engineOptions: (options) => ({ timeline: options.timeline }),
  fromOutput: (output) => stageOutput(output, 'loudness'),
  flatNames: {},
  mock: (random, options) => mockLoudness(random, options.timeline),
});

function mockLoudness(random: SeededRandom, withTimeline: boolean): LoudnessResult {
  const integrated = random.number(-24, -7);
  const result: LoudnessResult = {
    integrated_lufs: integrated,
    loudness_range_lu: random.number(2, 15),
    max_momentary_lufs: integrated + 3,
    max_short_term_lufs: integrated + 2,
    true_peak_dbtp: random.number(-3, 0.5),
    sample_peak_dbfs: random.number(-4, -0.1),
    channels: 2,
    sample_rate_hz: 44_100,
    duration_s: random.number(60, 300, 3),
    replaygain_db: Math.round((-18 - integrated) * 100) / 100,
  };
  if (withTimeline) {
    const values = Array.from({ length: 20 }, () => random.number(integrated - 6, integrated + 3));
    result.timeline = { step_s: 0.1, momentary_lufs: values, short_term_lufs: values };
  }
  return result;
}
