import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { cached } from '../../cache.js';
import { dataPath } from '../../data.js';
import { buildTools, runTool } from '../../tools.js';
import { floatWav } from '../../wav.js';
import type { Analyze, Answer } from '../engine.js';
import { ebuSignals, type EbuSignal } from '../render/ebu-signals.js';
import { type AccuracySet, meanColumn, type Row, worstColumn } from '../set.js';

const SIGNAL_RATE_HZ = 48000;

export const loudness: AccuracySet = {
  name: 'loudness',
  title:
    'Loudness of the EBU Tech 3341 and 3342 signals against the tables, of music against libebur128 (±0.02 LU)',
  columns: [
    meanColumn('inside', 'inside tolerance'),
    worstColumn('integrated_error_lu', 'worst I error, LU', 3),
    worstColumn('range_error_lu', 'worst LRA error, LU', 3),
    worstColumn('peak_error_db', 'worst true peak error, dB', 3),
  ],
  async run(analyze) {
    return [...(await ebuRows(analyze)), ...(await musicRows(analyze))];
  },
};

async function ebuRows(analyze: Analyze): Promise<Row[]> {
  const signals = ebuSignals(SIGNAL_RATE_HZ);
  const files = await Promise.all(
    signals.map(({ name, channels, channelMask }) =>
      cached(`loudness/${name}.wav`, (path) =>
        writeFile(path, floatWav(channels, SIGNAL_RATE_HZ, channelMask)),
      ),
    ),
  );
  const answers = await analyze(files, ['lufs']);
  return signals.map((signal, i) => scoreSignal(signal, answers[i]!));
}

/** A value that is missing is outside, and has no error to show. */
export function scoreSignal(signal: EbuSignal, answer: Answer): Row {
  let inside = true;
  const worst: Record<string, number> = {};
  for (const { field, value, below, above } of signal.expected) {
    const error = (answer[field] ?? NaN) - value;
    inside &&= error >= -below && error <= above;
    const key = ERROR_COLUMN[field];
    if (key !== undefined) worst[key] = Math.max(worst[key] ?? 0, Math.abs(error));
  }
  return { file: signal.name, group: 'EBU signals', values: { inside: inside ? 1 : 0, ...worst } };
}

const ERROR_COLUMN: Record<string, string> = {
  integrated_lufs: 'integrated_error_lu',
  loudness_range_lu: 'range_error_lu',
  true_peak_dbtp: 'peak_error_db',
};

/** What `loudness_bench` prints for a file, as far as it is read here. */
interface Comparison {
  ours: Reading;
  difference_lu: Reading; // ours − libebur128's
}

interface Reading {
  integrated: number | null;
  true_peak: number | null;
}

/** The product follows libebur128 on music to within this. */
const MUSIC_TOLERANCE_LU = 0.02;

/**
 * Real recordings, against libebur128 on the same decoded samples. Ranges are not compared: libebur128 takes a value a
 * second where Tech 3342 asks for one every 100 ms.
 */
async function musicRows(analyze: Analyze): Promise<Row[]> {
  const files = await recordings();
  await buildTools(['loudness_bench']);
  const answers = await analyze(files, ['lufs']);
  const comparisons = await runTool<Comparison>('loudness_bench', files);
  return files.map((file, i) => scoreMusic(titleOf(file), comparisons[i]!, answers[i]!));
}

export function scoreMusic(file: string, { ours, difference_lu }: Comparison, answer: Answer): Row {
  const error = (value: number | null | undefined, field: keyof Reading): number =>
    Math.abs((value ?? NaN) - ((ours[field] ?? NaN) - (difference_lu[field] ?? NaN)));
  const integratedError = error(answer.integrated_lufs, 'integrated');
  return {
    file,
    group: 'music, against libebur128',
    values: {
      inside: integratedError <= MUSIC_TOLERANCE_LU ? 1 : 0,
      integrated_error_lu: integratedError,
      peak_error_db: error(answer.true_peak_dbtp, 'true_peak'),
    },
  };
}

/** The song's folder where the file is one of its stems. */
function titleOf(file: string): string {
  const name = basename(file, extname(file));
  return name === 'mixture' ? basename(dirname(file)) : name;
}

async function recordings(): Promise<string[]> {
  const listening = dataPath('listening');
  const stems = dataPath('stems');
  const pieces = (await readdir(listening)).filter((name) => name.endsWith('.ogg')).sort();
  const songs = (await readdir(stems)).filter((name) => existsSync(join(stems, name, 'mixture.flac'))).sort();
  return [
    ...pieces.map((name) => join(listening, name)),
    ...songs.map((name) => join(stems, name, 'mixture.flac')),
  ];
}
