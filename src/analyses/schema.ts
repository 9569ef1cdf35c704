import { type TSchema, Type } from '@sinclair/typebox';

// Pieces of result schemas that several analyses share.

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

export const Seconds = (description: string) =>
  Type.Number({ minimum: 0, description: `${description}, in seconds from the start of the audio` });

export const Confidence = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'How likely the answer is right, 0–1',
});

export const BeatsPerMinute = Type.Number({ exclusiveMinimum: 0, description: 'Beats per minute' });

export const Reasons = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description: 'Why a field is null, by field: `audio_too_short`, `silent`, …; left out when nothing is',
  }),
);
