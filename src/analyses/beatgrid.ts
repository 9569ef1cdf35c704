import { type Static, Type } from '@sinclair/typebox';
import { defineAnalysis, stageOutput } from './definition.js';
import { BeatsPerMinute, Confidence, Nullable, Reasons, Seconds } from './schema.js';
import type { SeededRandom } from './seeded-random.js';

export const beatGridResult = Type.Object({
  tempo: Nullable(BeatsPerMinute),
  confidence: Nullable(Confidence),
  time_signature: Nullable(Type.Integer({ minimum: 1, maximum: 16, description: 'Beats in a bar' })),
  downbeat: Nullable(Seconds('The first downbeat')),
  beats: Type.Array(Seconds('A beat')),
  positions: Type.Array(Type.Integer({ minimum: 1, maximum: 16 }), {
    description: 'Place in the bar of each beat, 1 is the downbeat',
  }),
  downbeats: Type.Array(Seconds('A downbeat')),
  tempo_changes: Type.Array(Type.Object({ time: Seconds('Where the tempo begins'), tempo: BeatsPerMinute })),
  bpm_alt: Nullable(
    Type.Number({
      exclusiveMinimum: 0,
      description: 'Half or double tempo where it is in doubt which is meant, else null',
    }),
  ),
  reasons: Reasons,
});
export type BeatGridResult = Static<typeof beatGridResult>;

export const beatgrid = defineAnalysis({
  name: 'beatgrid',
  version: 1,
  summary: 'Beats and downbeats',
  description: 'Finds when each beat and each bar of an upload begins, and where the tempo changes.',
  price: 5,
  scope: 'analyze',
  options: Type.Object({}),
  result: beatGridResult,
  stages: ['beatgrid'],
  fromOutput: (output) => stageOutput(output, 'beatgrid'),
  flatNames: { confidence: 'tempo_confidence' },
  mock: mockBeatGrid,
});

function mockBeatGrid(random: SeededRandom): BeatGridResult {
  const tempo = random.number(60, 180);
  const metre = random.pick([3, 4]);
  const first = random.number(0, 1, 3);
  const beats = Array.from({ length: 64 }, (_, i) => Math.round((first + (i * 60) / tempo) * 1000) / 1000);
  return {
    tempo,
    confidence: random.number(0.5, 1),
    time_signature: metre,
    downbeat: first,
    beats,
    positions: beats.map((_, i) => (i % metre) + 1),
    downbeats: beats.filter((_, i) => i % metre === 0),
    tempo_changes: [{ time: first, tempo }],
    bpm_alt: null,
  };
}
