import { Piscina } from 'piscina';
import { entryPath } from './entry.js';
import type { EngineRequest, Outcome } from './task.js';

export interface PoolOptions {
  threads: number;
  /** Tasks that may wait; one more is refused. */
  maxQueue: number;
}

/** A flag that native code polls between blocks, from whatever thread. */
export class CancelFlag {
  readonly cells = new Int32Array(new SharedArrayBuffer(4));

  raise(): void {
    Atomics.store(this.cells, 0, 1);
  }
}

/** The analysis threads of this process. */
export class AnalysisPool {
  readonly #piscina: Piscina;
  readonly #flags = new Set<CancelFlag>();

  constructor({ threads, maxQueue }: PoolOptions) {
    this.#piscina = new Piscina({
      filename: entryPath('worker'),
      minThreads: 1,
      maxThreads: threads,
      maxQueue: maxQueue === Infinity ? Infinity : maxQueue + threads,
      concurrentTasksPerWorker: 1,
      idleTimeout: Infinity,
    });
  }

  /**
   * Analyses an audio file: its bytes, whose memory goes over to the worker (the caller's view is empty afterwards), or
   * its path. The outcome is a value, whether good or bad; a rejection means that the pool itself failed or had no room.
   */
  async run(
    source: Uint8Array<ArrayBuffer> | string,
    request: EngineRequest,
    flag = new CancelFlag(),
  ): Promise<Outcome> {
    this.#flags.add(flag);
    try {
      const task = { source, request, cancel: flag.cells };
      const transferList = typeof source === 'string' ? [] : [source.buffer];
      return (await this.#piscina.run(task, { transferList })) as Outcome;
    } finally {
      this.#flags.delete(flag);
    }
  }

  /** Stops what runs and ends the threads. */
  async close(): Promise<void> {
    for (const flag of this.#flags) flag.raise();
    await this.#piscina.close();
  }
}
