import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repoRoot } from '../cache.js';
import { Missing } from '../command.js';
import { commandLine } from './engine.js';
import { perFileText, resultText, type SetResult, summarise, writeResults } from './report.js';
import type { Peer } from './set.js';
import { sets } from './sets/index.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'per-file': { type: 'boolean', default: false } },
});
const names = sets.map((set) => set.name);
const chosen = positionals.includes('all') ? [...sets] : sets.filter((set) => positionals.includes(set.name));
const unknown = positionals.filter((name) => name !== 'all' && !names.includes(name));
if (chosen.length === 0 || unknown.length > 0) {
  console.error(
    `usage: npm run bench:accuracy -- SET… [--per-file], SET one of ${[...names, 'all'].join(', ')}`,
  );
  process.exit(2);
}

const peersText = await readFile(join(repoRoot, 'bench', 'accuracy', 'peers.json'), 'utf8');
const peers = JSON.parse(peersText) as Record<string, Peer[]>;
const analyze = commandLine();
const results: SetResult[] = [];
for (const set of chosen) {
  try {
    const rows = await set.run(analyze);
    const result = summarise(set, rows, peers[set.name] ?? []);
    results.push(result);
    if (values['per-file']) console.log(perFileText(set, rows));
    console.log(resultText(result));
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    console.log(`${set.name}: skipped, ${error.message}\n`);
  }
}
if (results.length > 0) await writeResults(results);
