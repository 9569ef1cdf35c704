import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from './cache.js';
import { Missing } from './command.js';

/** Annotated recordings lie beside the repository; they are not ours to ship. */
export function dataPath(...parts: string[]): string {
  const path = join(repoRoot, '..', 'shared', 'data', ...parts);
  if (!existsSync(path)) throw new Missing(`${join('../shared/data', ...parts)} is not there`);
  return path;
}

/** The rows of a text file whose columns are divided by white space. */
export async function readRows(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));
}
