import type { Static, TObject } from '@sinclair/typebox';
import type { Scope } from '../accounts/keys.js';
import type { AnalysisOutput, AnalyzeOptions, StageName } from '../native/addon.js';
import type { SeededRandom } from './seeded-random.js';

/**
 * An analysis, declared once. Its route, validation, OpenAPI entry, worker dispatch, price, cache key, test-key mock
 * and the command line's `--only` all follow from this.
 */
export interface AnalysisDefinition<Options extends TObject = TObject, Result extends TObject = TObject> {
  /** Also the path, `/v1/<name>`, and the name in PRICES and in `--only`. */
  name: string;
  /** Part of the cache key: raise it whenever results change. */
  version: number;
  summary: string;
  description: string;
  /** Credits, unless PRICES says otherwise. */
  price: number;
  scope: Scope;
  options: Options;
  result: Result;
  /** What the engine has to compute for it. */
  stages: StageName[];
  /** Options handed on to the engine. */
  engineOptions?(options: Static<Options>): Pick<AnalyzeOptions, 'timeline'>;
  fromOutput(output: AnalysisOutput): Static<Result>;
  /** Fields that need another name where several analyses are merged into one flat object. */
  flatNames: Record<string, string>;
  /** What a test key gets: made up, but the same for the same bytes and options, and true to the schema. */
  mock(random: SeededRandom, options: Static<Options>): Static<Result>;
}

export function defineAnalysis<Options extends TObject, Result extends TObject>(
  definition: AnalysisDefinition<Options, Result>,
): AnalysisDefinition<Options, Result> {
  return definition;
}

/** Adds a result to a flat record of several, under names that do not clash; `reasons` are merged likewise. */
export function mergeFlat(
  record: Record<string, unknown>,
  result: object,
  names: Record<string, string>,
): void {
  const { reasons, ...fields } = result as Record<string, unknown> & { reasons?: Record<string, string> };
  const renamed = (values: object) =>
    Object.entries(values).map(([name, value]): [string, unknown] => [names[name] ?? name, value]);
  const merged: object = {
    ...(record.reasons as object | undefined),
    ...Object.fromEntries(renamed(reasons ?? {})),
  };
  delete record.reasons;
  Object.assign(record, Object.fromEntries(renamed(fields)));
  if (Object.keys(merged).length > 0) record.reasons = merged;
}

/** The stage's part of the output. That it is there is the engine's promise. */
export function stageOutput<Stage extends StageName>(
  output: AnalysisOutput,
  stage: Stage,
): NonNullable<AnalysisOutput[Stage]> {
  const part = output[stage];
  if (part === undefined) throw new Error(`the engine left out ${stage}`);
  return part;
}
