import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Addon } from './addon.js';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Which binary is loaded: the one built here if there is one, else the prebuilt package of this platform, which npm
 * installs as an optional dependency.
 */
export function binaryCandidates(): string[] {
  const abi = process.platform === 'linux' ? `-${isMusl() ? 'musl' : 'gnu'}` : '';
  return [`${root}build/Release/tonearm.node`, `@tonearm/engine-${process.platform}-${process.arch}${abi}`];
}

/** Loads the native engine. Throws an Error that says what was tried and what to do. */
export function loadAddon(candidates: string[] = binaryCandidates()): Addon {
  const failures: string[] = [];
  for (const candidate of candidates) {
    if (candidate.endsWith('.node') && !existsSync(candidate)) {
      failures.push(`${candidate}: not built`);
      continue;
    }
    try {
      return require(candidate) as Addon;
    } catch (error) {
      failures.push(`${candidate}: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  throw new Error(
    [
      `The native engine could not be loaded on ${process.platform}-${process.arch} with Node ${process.version}. Tried:`,
      ...failures.map((failure) => `  - ${failure}`),
      'Run "npm start" or "npm test", which install what is missing and build it, or "npm rebuild" after installing',
      "FFmpeg's development libraries and a C++20 compiler.",
    ].join('\n'),
  );
}

function isMusl(): boolean {
  const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}
