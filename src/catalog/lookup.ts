import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Credits } from '../accounts/credits.js';
import type { AnalysisDefinition } from '../analyses/definition.js';
import type { Analyzer } from '../analyses/service.js';
import type { Config } from '../config.js';
import { SingleFlight } from '../engine/single-flight.js';
import type { EngineRequest } from '../engine/task.js';
import { ApiError } from '../errors.js';
import type { CatalogStore } from '../store/catalog/catalog.js';
import type { Features } from '../store/catalog/features.js';
import { storeAnalysis, trackStages } from './analysed.js';

/** Whose lookup it is, and what is billed for it. */
export interface Asker {
  accountId: string;
  traceId: string;
  endpoint: string;
  signal: AbortSignal;
}

export interface Billed<T> {
  /** In the order asked for; undefined where nothing is known. */
  values: (T | undefined)[];
  cache: 'hit' | 'miss';
  creditsUsed: number;
}

const defaultPrice = 2;
const blockBytes = 1 << 20;

/**
 * Looks up what is known of tracks. What is not known, of a track whose audio lies on this machine, is analysed now,
 * stored, and billed; everything else is free.
 */
export class Lookups {
  readonly #config: Config;
  readonly #catalog: CatalogStore;
  readonly #credits: Credits;
  readonly #analyzer: Analyzer;
  readonly #analysing = new SingleFlight<undefined>();

  constructor(config: Config, catalog: CatalogStore, credits: Credits, analyzer: Analyzer) {
    this.#config = config;
    this.#catalog = catalog;
    this.#credits = credits;
    this.#analyzer = analyzer;
  }

  /** Credits of one track that has to be analysed. */
  get price(): number {
    return this.#config.prices.lookup ?? defaultPrice;
  }

  /** Features of tracks. Throws as `#all`. */
  features(tracks: (number | undefined)[], asker: Asker): Promise<Billed<Features>> {
    return this.#all(tracks, (track) => this.#catalog.features.get(track), asker);
  }

  /** An analysis' whole result. `instead` may know it where none is stored. Throws as `#all`. */
  result(
    track: number,
    analysis: AnalysisDefinition,
    instead: (track: number) => object | undefined,
    asker: Asker,
  ): Promise<Billed<object>> {
    const get = (each: number) => {
      const json = this.#catalog.results.get(each, analysis);
      return json === undefined ? instead(each) : (JSON.parse(json) as object);
    };
    return this.#all([track], get, asker);
  }

  /**
   * Throws ApiError insufficient_credits before anything is computed; read_only; service_unavailable when the engine is
   * busy; and, where a single track was asked for, the engine's verdict on its audio. Nothing is billed then.
   */
  async #all<T>(
    tracks: (number | undefined)[],
    get: (track: number) => T | undefined,
    asker: Asker,
  ): Promise<Billed<T>> {
    const read = () => tracks.map((track) => (track === undefined ? undefined : get(track)));
    const known = read();
    const unknown = new Set(
      tracks.filter((track, i) => track !== undefined && known[i] === undefined) as number[],
    );
    const missing: { track: number; path: string }[] = [];
    for (const track of unknown) {
      const path = await this.#audioOf(track);
      if (path !== undefined) missing.push({ track, path });
    }
    if (missing.length === 0) return { values: known, cache: 'hit', creditsUsed: 0 };
    if (this.#config.readOnly) {
      throw new ApiError(
        'read_only',
        'The service is read-only, and this track would have to be analysed first.',
      );
    }
    const { accountId, traceId, endpoint } = asker;
    const most = this.price * missing.length;
    const reservation = this.#credits.reserve(accountId, most, `request:${traceId}`, endpoint);
    let analysed = 0;
    try {
      for (const { track, path } of missing) {
        try {
          await this.#analysing.run(
            String(track),
            (abort) => this.#analyse(track, path, abort),
            asker.signal,
          );
          analysed++;
        } catch (error) {
          // Of many, one that cannot be analysed is one that is not known.
          if (tracks.length === 1 || !(error instanceof ApiError) || error.status >= 500) throw error;
        }
      }
      this.#credits.charge(reservation, this.price * analysed);
    } catch (error) {
      this.#credits.release(reservation);
      throw error;
    }
    return { values: read(), cache: analysed > 0 ? 'miss' : 'hit', creditsUsed: this.price * analysed };
  }

  /** A file with the track's audio that is there and not too large to be analysed while somebody waits. */
  async #audioOf(track: number): Promise<string | undefined> {
    for (const { path, errorCode } of this.#catalog.files.ofTrack(track)) {
      if (errorCode !== null) continue;
      const bytes = await stat(path).then(
        (file) => (file.isFile() ? file.size : Infinity),
        () => Infinity,
      );
      if (bytes <= this.#config.maxUploadMib * 2 ** 20) return path;
    }
    return undefined;
  }

  async #analyse(track: number, path: string, signal: AbortSignal): Promise<undefined> {
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(path, { highWaterMark: blockBytes, signal })) {
      chunks.push(chunk as Buffer);
    }
    const request: EngineRequest = {
      analyses: trackStages,
      minDurationS: this.#config.minDurationS,
      maxDurationS: this.#config.maxSyncDurationS,
    };
    storeAnalysis(this.#catalog, track, await this.#analyzer.analyze(chunks, request, signal));
    return undefined;
  }
}
