import { fileURLToPath } from 'node:url';

/** Path of a sibling module that starts a thread or process: `.ts` when run from source, `.js` when built. */
export function entryPath(name: string): string {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return fileURLToPath(new URL(`./${name}${extension}`, import.meta.url));
}
