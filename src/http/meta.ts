import { Type } from '@sinclair/typebox';

/** `_meta` of synchronous answers. */
export const syncMetaSchema = Type.Object({
  cache: Type.Union([Type.Literal('hit'), Type.Literal('miss')]),
  latency_ms: Type.Integer({ minimum: 0 }),
  credits_used: Type.Integer({ minimum: 0, description: '0 on a cache hit' }),
  credits_remaining: Type.Integer({ minimum: 0 }),
  trace_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Identifies this very call, for support' }),
});

/** `_meta` of an accepted job. */
export const jobMetaSchema = Type.Composite([
  syncMetaSchema,
  Type.Object({
    credits_reserved: Type.Integer({
      minimum: 0,
      description: 'Charged when the job completes, else given back',
    }),
  }),
]);

/** What answers to test keys say is left: they have no credits and spend none. */
export const testCreditsRemaining = 10_000;

export function syncMeta(values: {
  cache: 'hit' | 'miss';
  creditsUsed: number;
  /** Of an accepted job alone. */
  creditsReserved: number | undefined;
  creditsRemaining: number;
  latencyMs: number;
  traceId: string;
}) {
  return {
    cache: values.cache,
    latency_ms: Math.round(values.latencyMs),
    credits_used: values.creditsUsed,
    ...(values.creditsReserved !== undefined && { credits_reserved: values.creditsReserved }),
    credits_remaining: values.creditsRemaining,
    trace_id: values.traceId,
  };
}
