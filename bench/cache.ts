import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repoRoot = fileURLToPath(new URL('..', import.meta.url));

/**
 * A generated file under `build-bench/` (ignored by git, safe to delete): `make` writes it when it is not there yet.
 * It is written under another name first, so that a broken run leaves no half a file behind.
 */
export async function cached(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(repoRoot, 'build-bench', name);
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  const unfinished = join(dirname(path), `unfinished-${path.slice(dirname(path).length + 1)}`);
  await rm(unfinished, { recursive: true, force: true });
  await make(unfinished);
  await rename(unfinished, path);
  return path;
}
