import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '../cache.js';
import { figure, textTable } from '../table.js';
import { type Bar, ratioChart } from './chart.js';
import { CONFIGURATIONS, type EngineResult, type LongRun } from './measure.js';

const MEMORY_LIMIT_MB = 400;

function bars(engine: EngineResult): Bar[] {
  return [
    { name: 'all analyses in one pass / decode alone', ratio: engine.allOverDecode, limit: 2 },
    { name: 'loudness with true peak / libebur128', ratio: engine.loudnessOverLibebur128, limit: 0.5 },
    { name: '2048-point STFT / FFTW3f', ratio: engine.stftOverFftw, limit: 1 },
  ];
}

export function engineText(engine: EngineResult, long: readonly LongRun[] | undefined): string {
  const ratios = bars(engine).map((bar) => [bar.name, figure(bar.ratio, 2), `≤ ${figure(bar.limit, 1)}`]);
  const times = [
    ['libavcodec alone', figure(1000 * engine.libavcodecS, 0)],
    ...CONFIGURATIONS.map((name) => [`pipeline: ${name}`, figure(1000 * engine.seconds[name], 0)]),
  ];
  const parts = [
    `${engine.audioS} s of MP3 on one thread, ${engine.cpu}, ${engine.simd}, ${engine.rounds} rounds`,
    textTable(['ratio', 'measured', 'goal'], ratios),
    textTable(['time', 'ms'], times),
    `peak memory: ${figure(engine.peakRssMb, 0)} MB`,
  ];
  if (long !== undefined) {
    const cells = long.map((run) => [
      `${run.hours} h`,
      figure(run.seconds, 1),
      figure(run.seconds / run.hours, 1),
      `${figure(run.peakMb, 0)} of ${MEMORY_LIMIT_MB}`,
    ]);
    parts.push(textTable(['WAV, whole command', 's', 's an hour', 'peak MB'], cells));
  }
  return `${parts.join('\n\n')}\n`;
}

/** Writes `bench/results/engine.json` and `.svg`; long runs that were not made this time keep their last figures. */
export async function writeEngineResults(
  engine: EngineResult,
  long: readonly LongRun[] | undefined,
): Promise<void> {
  const folder = join(repoRoot, 'bench', 'results');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'engine.json');
  const earlier = await readFile(path, 'utf8').then(
    (text) => (JSON.parse(text) as { long?: LongRun[] }).long,
    () => undefined,
  );
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toFixed(4)) : value;
  await writeFile(path, `${JSON.stringify({ ...engine, long: long ?? earlier }, rounded, 2)}\n`);
  await writeFile(join(folder, 'engine.svg'), ratioChart('Time against the fastest there is', bars(engine)));
}
