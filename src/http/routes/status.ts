import { Type } from '@sinclair/typebox';
import { Nullable } from '../../analyses/schema.js';
import { serviceUnavailable } from '../../errors.js';
import { version } from '../../version.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import type { Services } from '../services.js';

/** Health and status: public, for probes, monitors and people. */
export function statusEndpoints(services: Services): Endpoint[] {
  const { engine, metrics, store } = services;
  const open = {
    access: 'public',
    rateClass: 'unlimited',
    price: 0,
    writes: false,
    meta: 'none',
    errors: [],
    tag: 'Status',
  } as const;
  const Alive = Type.Object({ status: Type.Literal('ok') });
  return [
    defineEndpoint({
      ...open,
      errors: [],
      method: 'GET',
      path: '/healthz',
      operationId: 'health',
      summary: 'Liveness',
      description: 'Answers as long as the process runs.',
      success: { status: 200, description: 'Alive', schema: Alive },
      handle: () => ({ result: { status: 'ok' } }),
    }),
    defineEndpoint({
      ...open,
      errors: ['service_unavailable'],
      method: 'GET',
      path: '/readyz',
      operationId: 'ready',
      summary: 'Readiness',
      description:
        'Answers 200 once the database and the analysis engine can serve requests, 503 before that and while the engine restarts.',
      success: { status: 200, description: 'Ready', schema: Alive },
      handle() {
        store.accounts.get('');
        if (!engine.status().ready) throw serviceUnavailable('The analysis engine is not ready.', 1);
        return { result: { status: 'ok' } };
      },
    }),
    defineEndpoint({
      ...open,
      errors: [],
      method: 'GET',
      path: '/metrics',
      operationId: 'metrics',
      summary: 'Metrics',
      description: 'Measurements in the text format of Prometheus.',
      success: { status: 200, description: 'Metrics', contentType: 'text/plain' },
      async handle(_input, { reply }) {
        const text = await metrics.registry.metrics();
        void reply.type(metrics.registry.contentType).send(text);
        return { handled: true };
      },
    }),
    defineEndpoint({
      ...open,
      errors: [],
      method: 'GET',
      path: '/v1/status',
      operationId: 'status',
      summary: 'Status',
      description:
        'What the service runs on and how busy it is: versions, instruction set in use, queue depth.',
      success: { status: 200, description: 'Status', schema: Status },
      handle() {
        const { ready, threads, running, queued, restarts, info } = engine.status();
        return {
          result: {
            status: ready ? 'ok' : 'degraded',
            version,
            engine: {
              ready,
              threads,
              running,
              queued,
              restarts,
              simd: info?.simd ?? null,
              simd_available: info?.simdAvailable ?? [],
              ffmpeg: info?.ffmpeg ?? {},
            },
          },
        };
      },
    }),
  ];
}

const Count = Type.Integer({ minimum: 0 });
const Status = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
  version: Type.String(),
  engine: Type.Object({
    ready: Type.Boolean(),
    threads: Count,
    running: Count,
    queued: Count,
    restarts: Count,
    simd: Nullable(Type.String({ description: 'Instruction set in use' })),
    simd_available: Type.Array(Type.String()),
    ffmpeg: Type.Record(Type.String(), Type.String(), { description: 'Version by library' }),
  }),
});
