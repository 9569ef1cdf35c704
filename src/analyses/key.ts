import { type Static, Type } from '@sinclair/typebox';
import { defineAnalysis, stageOutput } from './definition.js';
import { Confidence, Nullable, Reasons } from './schema.js';
import type { SeededRandom } from './seeded-random.js';

export const pitchClasses = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'] as const;
export const modes = ['major', 'minor'] as const;

const PitchClass = Type.Union(
  pitchClasses.map((name) => Type.Literal(name)),
  { description: 'Tonic' },
);
const Mode = Type.Union(modes.map((name) => Type.Literal(name)));
const Camelot = Type.String({
  pattern: '^([1-9]|1[0-2])[AB]$',
  description: 'Place on the Camelot wheel; C major is 8B',
});
const OpenKey = Type.String({
  pattern: '^([1-9]|1[0-2])[dm]$',
  description: 'Open Key notation; C major is 1d',
});

export const keyResult = Type.Object({
  key: Nullable(PitchClass),
  mode: Nullable(Mode),
  camelot: Nullable(Camelot),
  open_key: Nullable(OpenKey),
  confidence: Nullable(Confidence),
  tuning_hz: Nullable(Type.Number({ minimum: 400, maximum: 480, description: 'Frequency of A4' })),
  alternatives: Type.Array(
    Type.Object({ key: PitchClass, mode: Mode, camelot: Camelot, confidence: Confidence }),
    {
      description: 'Other keys that fit, best first',
    },
  ),
  reasons: Reasons,
});
export type KeyResult = Static<typeof keyResult>;

export const key = defineAnalysis({
  name: 'key',
  version: 1,
  summary: 'Musical key',
  description: 'Finds the key and mode of an upload, its tuning, and what other keys would fit.',
  price: 3,
  scope: 'analyze',
  options: Type.Object({}),
  result: keyResult,
  stages: ['key'],
  fromOutput: (output) => stageOutput(output, 'key'),
  flatNames: { confidence: 'key_confidence', alternatives: 'key_alternatives' },
  mock: mockKey,
});

export function mockKey(random: SeededRandom): KeyResult {
  const [best, other] = [mockCandidate(random, 0.5, 1), mockCandidate(random, 0, 0.5)];
  const { openKey, ...rest } = best;
  const alternative = {
    key: other.key,
    mode: other.mode,
    camelot: other.camelot,
    confidence: other.confidence,
  };
  return { ...rest, open_key: openKey, tuning_hz: random.number(435, 445), alternatives: [alternative] };
}

function mockCandidate(random: SeededRandom, min: number, max: number) {
  const tonic = random.integer(0, 11);
  const mode = random.pick(modes);
  return {
    key: pitchClasses[tonic] as (typeof pitchClasses)[number],
    mode,
    ...wheel(tonic, mode),
    confidence: random.number(min, max),
  };
}

/** Both wheels go round in fifths; a minor key stands where its relative major, three semitones up, stands. */
export function wheel(tonic: number, mode: 'major' | 'minor'): { camelot: string; openKey: string } {
  const major = mode === 'major' ? tonic : (tonic + 3) % 12;
  const fifths = (major * 7) % 12;
  return {
    camelot: `${((fifths + 7) % 12) + 1}${mode === 'major' ? 'B' : 'A'}`,
    openKey: `${fifths + 1}${mode === 'major' ? 'd' : 'm'}`,
  };
}
