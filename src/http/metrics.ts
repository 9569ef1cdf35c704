import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Engine } from './services.js';
import type { UploadMemory } from './upload-memory.js';

/** What /metrics shows. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests: Histogram<'route' | 'method' | 'status'>;
  readonly cache: Counter<'result'>;
  readonly credits: Counter;

  constructor(engine: Engine, uploadMemory: UploadMemory) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Histogram({
      name: 'tonearm_http_request_duration_seconds',
      help: 'Time from request to the end of its answer',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.cache = new Counter({
      name: 'tonearm_cache_requests_total',
      help: 'Answers by whether they were cached: hit or miss',
      labelNames: ['result'],
      registers,
    });
    this.credits = new Counter({ name: 'tonearm_credits_used_total', help: 'Credits billed', registers });
    const gauges: [string, string, () => number][] = [
      ['tonearm_engine_up', '1 while the engine process answers', () => Number(engine.status().ready)],
      ['tonearm_engine_threads', 'Analysis threads', () => engine.status().threads],
      ['tonearm_engine_running', 'Analyses running', () => engine.status().running],
      ['tonearm_engine_queued', 'Analyses waiting for a thread', () => engine.status().queued],
      [
        'tonearm_engine_restarts',
        'Times the engine process was started again',
        () => engine.status().restarts,
      ],
      ['tonearm_upload_memory_bytes', 'Memory held by uploads in flight', () => uploadMemory.usedBytes],
    ];
    for (const [name, help, read] of gauges) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    }
  }
}
