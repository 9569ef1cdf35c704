import { join } from 'node:path';
import { repoRoot } from './cache.js';
import { command } from './command.js';

const HINT = 'Debian: apt-get install cmake g++ libebur128-dev libfftw3-dev';
const BUILD = join(repoRoot, 'build-native');

/** Builds the programs under `native/tools` that the bench runs; quick when they are up to date. */
export async function buildTools(names: readonly string[]): Promise<void> {
  await command('cmake', ['-S', join(repoRoot, 'native'), '-B', BUILD], HINT);
  await command('cmake', ['--build', BUILD, '-j', '2', '--target', ...names], HINT, 1200);
}

/** Runs a tool, which prints one JSON object a line. */
export async function runTool<Line>(name: string, args: readonly string[]): Promise<Line[]> {
  const { stdout } = await command(join(BUILD, name), args, HINT, 1200);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
