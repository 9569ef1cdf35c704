import type { Credits } from '../accounts/credits.js';
import type { Config } from '../config.js';
import { SingleFlight } from '../engine/single-flight.js';
import type { EngineRequest } from '../engine/task.js';
import { ApiError } from '../errors.js';
import type { AnalysisOutput } from '../native/addon.js';
import type { Store } from '../store/store.js';
import { cacheKey, purchaseKey } from './cache-key.js';
import type { AnalysisDefinition } from './definition.js';

/** Whatever turns audio into results; the engine process, in the service. */
export interface Analyzer {
  analyze(chunks: readonly Buffer[], request: EngineRequest, signal?: AbortSignal): Promise<AnalysisOutput>;
}

export interface Audio {
  chunks: readonly Buffer[];
  /** Of all bytes. */
  sha256: Buffer;
}

export interface AnalysisRun {
  analysis: AnalysisDefinition;
  /** Valid and complete: with the defaults filled in. */
  options: Record<string, unknown>;
  audio: Audio;
  accountId: string;
  traceId: string;
  signal?: AbortSignal;
}

export interface AnalysisAnswer {
  /** The result as JSON text, the same bytes whenever the same audio is analysed. */
  json: string;
  cache: 'hit' | 'miss';
  creditsUsed: number;
}

/**
 * Billed, cached, synchronous analysis.
 *
 * A repeat by the account that paid is a `hit` and free. Another account's first upload of the same bytes is a `miss`
 * and billed like any first upload, so that nobody can see on a bill what others have sent; the engine, though, does the
 * work once for everybody. What an account has paid for stays free when an update of the engine makes it run again.
 */
export class AnalysisService {
  readonly #config: Config;
  readonly #store: Store;
  readonly #credits: Credits;
  readonly #analyzer: Analyzer;
  readonly #computing = new SingleFlight<string>();
  readonly #answering = new Map<string, Promise<unknown>>();

  constructor(config: Config, store: Store, credits: Credits, analyzer: Analyzer) {
    this.#config = config;
    this.#store = store;
    this.#credits = credits;
    this.#analyzer = analyzer;
  }

  price(analysis: AnalysisDefinition): number {
    return this.#config.prices[analysis.name] ?? analysis.price;
  }

  /** Throws ApiError (insufficient_credits, the engine's verdict on the audio, service_unavailable) or CanceledError. */
  async run(run: AnalysisRun): Promise<AnalysisAnswer> {
    const result = cacheKey(run.analysis, run.options, run.audio.sha256);
    const purchase = purchaseKey(run.analysis, run.options, run.audio.sha256);
    const flight = `${run.accountId}:${purchase.toString('hex')}`;
    // Of the same uploads of one account at the same moment, one computes and pays; the others wait for it and then
    // find a hit. When it fails for reasons of its own (its caller hung up), the next one takes over.
    for (;;) {
      const paid = this.#store.results.isPaid(run.accountId, purchase);
      const json = this.#store.results.get(result, Date.now());
      if (paid && json !== undefined) return { json, cache: 'hit', creditsUsed: 0 };
      const other = this.#answering.get(flight);
      if (!other) {
        const answer = this.#answer(run, { result, purchase, paid, json });
        const settled = answer.catch((error: unknown) => error);
        this.#answering.set(flight, settled);
        return answer.finally(() => this.#answering.delete(flight));
      }
      const outcome = await other;
      if (outcome instanceof ApiError && (outcome.status === 415 || outcome.status === 422)) throw outcome;
      run.signal?.throwIfAborted();
    }
  }

  async #answer(
    run: AnalysisRun,
    known: { result: Buffer; purchase: Buffer; paid: boolean; json: string | undefined },
  ): Promise<AnalysisAnswer> {
    const creditsUsed = known.paid ? 0 : this.price(run.analysis);
    const endpoint = `POST /v1/${run.analysis.name}`;
    const reservation = this.#credits.reserve(run.accountId, creditsUsed, `request:${run.traceId}`, endpoint);
    try {
      const json = known.json ?? (await this.#compute(run, known.result));
      this.#store.transaction(() => {
        if (known.json === undefined)
          this.#store.results.put(known.result, run.analysis.name, json, Date.now());
        this.#store.results.markPaid(run.accountId, known.purchase, Date.now());
        this.#credits.charge(reservation);
      });
      return { json, cache: 'miss', creditsUsed };
    } catch (error) {
      this.#credits.release(reservation);
      throw error;
    }
  }

  #compute({ analysis, options, audio, signal }: AnalysisRun, result: Buffer): Promise<string> {
    const request: EngineRequest = {
      analyses: analysis.stages,
      minDurationS: this.#config.minDurationS,
      maxDurationS: this.#config.maxSyncDurationS,
      ...analysis.engineOptions?.(options),
    };
    const work = async (abort: AbortSignal) => {
      const output = await this.#analyzer.analyze(audio.chunks, request, abort);
      return JSON.stringify(analysis.fromOutput(output));
    };
    return this.#computing.run(result.toString('hex'), work, signal);
  }
}
