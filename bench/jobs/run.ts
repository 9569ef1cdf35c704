import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '../cache.js';
import { figure, textTable } from '../table.js';
import { measureQueue, type QueueFigures } from './measure.js';

const figures: QueueFigures[] = [];
for (const waiting of [1, 100, 10_000]) figures.push(await measureQueue(waiting));

console.log(
  textTable(
    ['jobs waiting', 'submissions/s', 'start, median ms', 'start, 95 % ms'],
    figures.map((each) => [
      String(each.waiting),
      figure(each.submissionsPerS, 0),
      figure(each.startMedianMs, 1),
      figure(each.startP95Ms, 1),
    ]),
  ),
);
const folder = join(repoRoot, 'bench', 'results');
await mkdir(folder, { recursive: true });
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toFixed(2)) : value;
await writeFile(join(folder, 'jobs.json'), `${JSON.stringify(figures, rounded, 2)}\n`);
