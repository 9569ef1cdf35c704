import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from '../cache.js';
import { command, Missing } from '../command.js';
import { dataPath } from '../data.js';
import { floatWav } from '../wav.js';

export const LENGTH_S = 240;
const RATE_HZ = 44100;
const HINT = 'Debian: apt-get install ffmpeg';

/** Four minutes of stereo MP3 at 192 kbit/s: real songs one after the other where they are at hand, else synthetic. */
export async function fourMinutes(): Promise<string> {
  return cached('engine/four-minutes.mp3', async (path) => {
    const folder = await mkdtemp(join(tmpdir(), 'tonearm-bench-'));
    try {
      const sources = (await songs()) ?? [await synthetic(folder)];
      const format = `aformat=sample_rates=${RATE_HZ}:channel_layouts=stereo`;
      const graph = [
        ...sources.map((_, i) => `[${i}:a]${format}[s${i}]`),
        `${sources.map((_, i) => `[s${i}]`).join('')}concat=n=${sources.length}:v=0:a=1,aloop=loop=-1:size=2e9`,
      ].join(';');
      const inputs = sources.flatMap((source) => ['-i', source]);
      const output = ['-t', String(LENGTH_S), '-c:a', 'libmp3lame', '-b:a', '192k', '-bitexact', path];
      await command('ffmpeg', ['-v', 'error', '-y', ...inputs, '-filter_complex', graph, ...output], HINT);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

/** The same music as PCM, `hours` long. */
export async function longWav(hours: number, path: string): Promise<void> {
  const source = await fourMinutes();
  const output = ['-t', String(hours * 3600), '-c:a', 'pcm_s16le', path];
  await command('ffmpeg', ['-v', 'error', '-y', '-stream_loop', '-1', '-i', source, ...output], HINT, 600);
}

async function songs(): Promise<string[] | undefined> {
  try {
    const folder = dataPath('stems');
    const mixtures = (await readdir(folder)).sort().map((song) => join(folder, song, 'mixture.flac'));
    return mixtures.filter((file) => existsSync(file));
  } catch (error) {
    if (error instanceof Missing) return undefined;
    throw error;
  }
}

/** Sixteen seconds of chords of decaying partials over a beat of noise: as busy for a codec as music is. */
async function synthetic(folder: string): Promise<string> {
  const frames = 16 * RATE_HZ;
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  let seed = 1;
  for (let n = 0; n < frames; n++) {
    const chord = [0, 5, 7, 3][Math.floor(n / (4 * RATE_HZ))]!;
    const sinceNote = (n % (RATE_HZ / 2)) / RATE_HZ;
    const sinceBeat = (n % (RATE_HZ / 4)) / RATE_HZ;
    seed = (seed * 48271) % 2147483647;
    const drum = 0.3 * (seed / 1073741824 - 1) * Math.exp(-40 * sinceBeat);
    let [low, high] = [0, 0];
    for (const interval of [0, 4, 7]) {
      const hz = 220 * 2 ** ((chord + interval) / 12);
      for (let partial = 1; partial <= 12; partial++) {
        const value =
          (Math.sin((2 * Math.PI * hz * partial * n) / RATE_HZ) / partial) * Math.exp(-partial * sinceNote);
        if (partial % 2 === 0) low += value;
        else high += value;
      }
    }
    left[n] = drum + 0.1 * (low + 0.7 * high);
    right[n] = drum + 0.1 * (high + 0.7 * low);
  }
  const path = join(folder, 'synthetic.wav');
  await writeFile(path, floatWav([left, right], RATE_HZ, 0x3));
  return path;
}
