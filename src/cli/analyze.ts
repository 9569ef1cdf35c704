import { access } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { type AnalysisDefinition, mergeFlat } from '../analyses/definition.js';
import { analyses } from '../analyses/index.js';
import { settings } from '../config.js';
import { AnalysisPool } from '../engine/pool.js';
import type { EngineRequest } from '../engine/task.js';
import { findAudioFiles } from './files.js';
import { namesOf } from './options.js';

interface Options {
  json?: boolean;
  only?: string[];
}

type FileAnswer = { file: string } & Record<string, unknown>;
type FileError = { file: string; error: { code: string; message: string } };

/** A mix of a day: offline there is no caller to protect. */
const maxDurationS = 86_400;

export function analyzeCommand(): Command {
  const names = analyses.map(({ name }) => name);
  return new Command('analyze')
    .description('analyse audio files, and all in the directories given')
    .argument('<file...>')
    .option('--json', 'one JSON object a line')
    .option('--only <list>', `what to find: ${names.join(',')}; all when left out`, namesOf(names))
    .action(analyze);
}

async function analyze(paths: string[], options: Options): Promise<void> {
  const wanted = analyses.filter(({ name }) => options.only?.includes(name) ?? true);
  const files = await findAudioFiles(paths);
  if (files.length === 0) throw new Error(`There are no audio files in ${paths.join(', ')}.`);
  const threads = Math.min(files.length, availableParallelism());
  const pool = new AnalysisPool({ threads, maxQueue: Infinity });
  const progress = startProgress(files.length);
  // One file more than there are threads is on its way, so that no thread waits.
  for await (const answer of inOrder(files, threads + 1, (file) =>
    analyzeFile(pool, file, wanted, () => progress.step()),
  )) {
    progress.clear();
    if ('error' in answer) process.exitCode = 1;
    report(answer, options.json === true);
  }
  progress.stop();
  await pool.close();
}

async function analyzeFile(
  pool: AnalysisPool,
  file: string,
  wanted: AnalysisDefinition[],
  done: () => void,
): Promise<FileAnswer | FileError> {
  const request: EngineRequest = {
    analyses: [...new Set(wanted.flatMap(({ stages }) => stages))],
    minDurationS: settings.minDurationS.schema.default as number,
    maxDurationS,
  };
  try {
    await access(file);
    const outcome = await pool.run(file, request);
    if (!outcome.ok) return { file, error: outcome.error };
    const { output } = outcome;
    const record: FileAnswer = { file, duration_s: output.audio.duration_s };
    for (const analysis of wanted) mergeFlat(record, analysis.fromOutput(output), analysis.flatNames);
    return record;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = missing ? 'There is no such file.' : (error as Error).message;
    return { file, error: { code: missing ? 'not_found' : 'internal_error', message } };
  } finally {
    done();
  }
}

/** Runs `work` on up to `width` items at a time and yields the answers in the order of the items. */
async function* inOrder<Item, Answer>(
  items: Item[],
  width: number,
  work: (item: Item) => Promise<Answer>,
): AsyncGenerator<Answer> {
  const running: Promise<Answer>[] = [];
  for (const item of items) {
    running.push(work(item));
    if (running.length >= width) yield (await running.shift()) as Answer;
  }
  for (const answer of running) yield await answer;
}

function report(answer: FileAnswer | FileError, json: boolean): void {
  if ('error' in answer) {
    const { code, message } = answer.error as FileError['error'];
    process.stderr.write(`${answer.file}: ${message} (${code})\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify(answer)}\n`);
  else if (!('error' in answer)) process.stdout.write(`${describe(answer).join('\n')}\n`);
}

function describe({ file, ...fields }: FileAnswer): string[] {
  return [file, ...Object.entries(fields).map(([name, value]) => `  ${name.padEnd(20)} ${inWords(value)}`)];
}

function inWords(value: unknown): string {
  if (!Array.isArray(value))
    return typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : `${(value ?? '–') as string | number}`;
  if (value.length <= 4) return value.map(inWords).join(' ') || 'none';
  return `${value.slice(0, 3).map(inWords).join(' ')} … ${inWords(value.at(-1))} (${value.length})`;
}

/** A bar on a terminal, nothing in a pipe. */
function startProgress(total: number) {
  if (!process.stderr.isTTY || total < 2) return { step() {}, clear() {}, stop() {} };
  const bar = new SingleBar({
    format: '{bar} {value}/{total} files, {eta_formatted} left',
    stream: process.stderr,
    clearOnComplete: true,
  });
  bar.start(total, 0);
  return {
    step: () => bar.increment(),
    clear: () => void process.stderr.write('\r\u001b[K'),
    stop: () => bar.stop(),
  };
}
