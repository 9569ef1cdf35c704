// Stamps: "this output was made from exactly these inputs", so that a second run does nothing.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function* filesUnder(path) {
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === 'node_modules') continue;
    yield* filesUnder(join(path, entry.name));
  }
}

/** SHA-256 over names and contents of the given files and folders, and over the given words. */
export function fingerprint(paths, ...words) {
  const hash = createHash('sha256');
  for (const word of words) hash.update(`${word}\0`);
  for (const path of paths.filter(existsSync)) {
    for (const file of filesUnder(path)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Runs `make` unless the stamp says that `output` exists and was made from these inputs. */
export function unlessStamped({ stamp, output, inputs, make }) {
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return;
  make();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, inputs);
}
