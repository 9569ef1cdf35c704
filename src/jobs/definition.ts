import type { Static, TObject } from '@sinclair/typebox';
import type { SeededRandom } from '../analyses/seeded-random.js';
import type { Analyzer } from '../analyses/service.js';
import type { CatalogStore } from '../store/catalog/catalog.js';

/**
 * A kind of job, declared once. Its route, validation, OpenAPI entry, price, place in the queue and test-key mock all
 * follow from this.
 */
export interface JobKind<Options extends TObject = TObject, Result extends TObject = TObject> {
  /** Also the path, `/v1/<name>`, and the name in PRICES. */
  name: string;
  summary: string;
  description: string;
  /** Credits, unless PRICES says otherwise. */
  price: number;
  /** How long one takes, in seconds, until that has been measured. */
  typicalS: number;
  options: Options;
  result: Result;
  /**
   * Does the work; may be run again from the start after a crash. An ApiError thrown fails the job with its code, but
   * for `internal_error`, which is tried again, and `service_unavailable`, which waits.
   */
  run(run: JobRun<Static<Options>>): Promise<Static<Result>>;
  /** What a test key gets: made up, but the same for the same bytes and options, and true to the schema. */
  mock(random: SeededRandom): Static<Result>;
}

export interface JobRun<Options> {
  options: Options;
  /** The whole upload. */
  readAudio: () => Promise<Buffer[]>;
  engine: Analyzer;
  catalog: CatalogStore;
  minDurationS: number;
  maxDurationS: number;
  /** Aborts when the job is canceled or the service stops. */
  signal: AbortSignal;
  /** What is being done, and how much of the whole is (0–1). */
  report: (stage: string, progress: number) => void;
  /** Adds a file to the result, offered for download under `name`. */
  writeFile: (
    name: string,
    contentType: string,
    chunks: readonly Buffer[],
    durationS: number | null,
  ) => Promise<void>;
}

export function defineJobKind<Options extends TObject, Result extends TObject>(
  kind: JobKind<Options, Result>,
): JobKind<Options, Result> {
  return kind;
}
