import { type Static, Type } from '@sinclair/typebox';
import { bpm, mockTempo, type TempoResult, tempoResult } from './bpm.js';
import { defineAnalysis, mergeFlat, stageOutput } from './definition.js';
import { key, type KeyResult, keyResult, mockKey } from './key.js';
import { Reasons } from './schema.js';

const {
  confidence: tempoConfidence,
  alternatives: tempoAlternatives,
  ...tempoFields
} = tempoResult.properties;
const { confidence: keyConfidence, alternatives: keyAlternatives, ...keyFields } = keyResult.properties;

const keyBpmResult = Type.Object({
  ...tempoFields,
  tempo_confidence: tempoConfidence,
  tempo_alternatives: tempoAlternatives,
  ...keyFields,
  key_confidence: keyConfidence,
  key_alternatives: keyAlternatives,
  reasons: Reasons,
});
type KeyBpmResult = Static<typeof keyBpmResult>;

export const keyBpm = defineAnalysis({
  name: 'key-bpm',
  version: 1,
  summary: 'Key and tempo',
  description: 'Finds key and tempo of an upload in one pass.',
  price: 4,
  scope: 'analyze',
  options: Type.Object({}),
  result: keyBpmResult,
  stages: ['tempo', 'key'],
  fromOutput: (output) => merge(stageOutput(output, 'tempo'), stageOutput(output, 'key')),
  flatNames: {},
  mock: (random) => merge(mockTempo(random), mockKey(random)),
});

function merge(tempo: TempoResult, tonality: KeyResult): KeyBpmResult {
  const record = {};
  mergeFlat(record, tempo, bpm.flatNames);
  mergeFlat(record, tonality, key.flatNames);
  return record as KeyBpmResult;
}
