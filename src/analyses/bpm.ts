import { type Static, Type } from '@sinclair/typebox';
import { defineAnalysis, stageOutput } from './definition.js';
import { BeatsPerMinute, Confidence, Nullable, Reasons } from './schema.js';
import type { SeededRandom } from './seeded-random.js';

export const tempoResult = Type.Object({
  tempo: Nullable(BeatsPerMinute),
  confidence: Nullable(Confidence),
  tempo_half: Nullable(Type.Number({ exclusiveMinimum: 0, description: 'Half the tempo' })),
  tempo_double: Nullable(Type.Number({ exclusiveMinimum: 0, description: 'Twice the tempo' })),
  alternatives: Type.Array(Type.Object({ tempo: BeatsPerMinute, confidence: Confidence }), {
    description: 'Other tempi that fit, best first',
  }),
  time_signature: Nullable(Type.Integer({ minimum: 1, maximum: 16, description: 'Beats in a bar' })),
  reasons: Reasons,
});
export type TempoResult = Static<typeof tempoResult>;

export const bpm = defineAnalysis({
  name: 'bpm',
  version: 1,
  summary: 'Tempo',
  description: 'Finds the tempo of an upload, with its half and double and what else would fit.',
  price: 3,
  scope: 'analyze',
  options: Type.Object({}),
  result: tempoResult,
  stages: ['tempo'],
  fromOutput: (output) => stageOutput(output, 'tempo'),
  flatNames: { confidence: 'tempo_confidence', alternatives: 'tempo_alternatives' },
  mock: mockTempo,
});

export function mockTempo(random: SeededRandom): TempoResult {
  const tempo = random.number(60, 180);
  return {
    tempo,
    confidence: random.number(0.5, 1),
    tempo_half: round(tempo / 2),
    tempo_double: round(tempo * 2),
    alternatives: [{ tempo: round(tempo / 2), confidence: random.number(0, 0.5) }],
    time_signature: random.pick([3, 4]),
  };
}

function round(bpm: number): number {
  return Math.round(bpm * 100) / 100;
}
