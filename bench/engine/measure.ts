import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { median } from '../accuracy/metrics/score.js';
import { cached, repoRoot } from '../cache.js';
import { fourMinutes, longWav } from './material.js';
import { peakMemory } from './peak-memory.js';
import { buildTools, runTool } from '../tools.js';

/** What `analyze_bench` prints. */
interface PipelineTimes {
  duration_s: number;
  simd: string;
  seconds: Record<Configuration, number>;
  peak_rss_mb: number;
}

export const CONFIGURATIONS = ['decode', 'loudness', 'key', 'rhythm', 'all'] as const;
export type Configuration = (typeof CONFIGURATIONS)[number];

/** Ratios are medians over the rounds of what was taken in one round; seconds are medians, too. */
export interface EngineResult {
  cpu: string;
  simd: string;
  rounds: number;
  audioS: number;
  libavcodecS: number;
  seconds: Record<Configuration, number>;
  /** All analyses in one pass over the decode by libavcodec alone. */
  allOverDecode: number;
  /** Loudness with true peak over libebur128, both on decoded audio. */
  loudnessOverLibebur128: number;
  /** Windowed 2048-point STFT with magnitudes over FFTW3f, per frame. */
  stftOverFftw: number;
  /** Of the whole process that analyses for everything. */
  peakRssMb: number;
}

/** How often each tool repeats inside one round; the fastest counts. */
const REPEATS = '3';

export async function measureEngine(rounds: number): Promise<EngineResult> {
  await buildTools(['analyze_bench', 'decode_bench', 'loudness_bench', 'stft_bench']);
  const file = await fourMinutes();
  const taken: { libavcodecS: number; pipeline: PipelineTimes }[] = [];
  for (let round = 0; round < rounds; round++) {
    // By turns, so that whatever else the machine does falls on both sides of a ratio.
    const [libavcodec] = await runTool<{ seconds: number }>('decode_bench', ['--raw', file, REPEATS]);
    const [pipeline] = await runTool<PipelineTimes>('analyze_bench', [file, REPEATS]);
    taken.push({ libavcodecS: libavcodec!.seconds, pipeline: pipeline! });
  }
  const [loudness] = await runTool<{ ratio: number }>('loudness_bench', [file]); // by turns in itself, as the next
  const stft = await runTool<{ window: number; ratio: number }>('stft_bench', []);
  const [memory] = await runTool<PipelineTimes>('analyze_bench', [file, '1', 'all']);
  const middle = (value: (each: (typeof taken)[number]) => number): number => median(taken.map(value));
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    simd: memory!.simd,
    rounds,
    audioS: memory!.duration_s,
    libavcodecS: middle((each) => each.libavcodecS),
    seconds: Object.fromEntries(
      CONFIGURATIONS.map((name) => [name, middle((each) => each.pipeline.seconds[name])]),
    ) as Record<Configuration, number>,
    allOverDecode: middle((each) => each.pipeline.seconds.all / each.libavcodecS),
    loudnessOverLibebur128: loudness!.ratio,
    stftOverFftw: stft.find((line) => line.window === 2048)!.ratio,
    peakRssMb: memory!.peak_rss_mb,
  };
}

/** The command line on PCM of some length, from start to end. */
export interface LongRun {
  hours: number;
  seconds: number;
  /** The command line and the processes it starts, together. */
  peakMb: number;
}

export async function measureLong(): Promise<LongRun[]> {
  const runs: LongRun[] = [];
  for (const hours of [0.5, 1, 3]) {
    const file = await cached(`engine/${hours}-hours.wav`, (path) => longWav(hours, path));
    const script = join(repoRoot, 'dist', 'cli.js');
    runs.push({ hours, ...(await peakMemory(process.execPath, [script, 'analyze', '--json', file])) });
    await rm(file); // 635 MB an hour
  }
  return runs;
}
