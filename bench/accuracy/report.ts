import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '../cache.js';
import { figure, markdownTable, type TableRow, textTable } from '../table.js';
import type { AccuracySet, Peer, Row } from './set.js';

/** What one run of a set came to; figures that do not apply are left out. */
export interface SetResult {
  name: string;
  title: string;
  files: number;
  columns: { key: string; title: string; digits: number }[];
  overall: Record<string, number>;
  groups: Record<string, Record<string, number>>;
  peers: Peer[];
}

export function summarise(set: AccuracySet, rows: readonly Row[], peers: readonly Peer[]): SetResult {
  const figures = (some: readonly Row[]): Record<string, number> =>
    Object.fromEntries(
      set.columns
        .map(({ key, digits, summary }) => [key, Number(summary(some).toFixed(digits + 1))] as const)
        .filter(([, value]) => Number.isFinite(value)),
    );
  const groups = [...new Set(rows.map((row) => row.group).filter((group) => group !== undefined))];
  return {
    name: set.name,
    title: set.title,
    files: rows.length,
    columns: set.columns.map(({ key, title, digits }) => ({ key, title, digits })),
    overall: figures(rows),
    groups: Object.fromEntries(
      groups.map((group) => [group, figures(rows.filter((row) => row.group === group))]),
    ),
    peers: [...peers],
  };
}

export function resultText(result: SetResult): string {
  const heading = `${result.name}: ${result.title} – ${result.files} files`;
  return `${heading}\n\n${textTable(head(result), body(result))}\n`;
}

export function perFileText(set: AccuracySet, rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.file, ...set.columns.map((c) => figure(row.values[c.key], c.digits))]);
  return `${textTable(['file', ...set.columns.map((column) => column.title)], cells)}\n`;
}

function head(result: SetResult): TableRow {
  return ['', ...result.columns.map((column) => column.title)];
}

function body(result: SetResult): TableRow[] {
  const cells = (name: string, values: Record<string, number>): TableRow => [
    name,
    ...result.columns.map((column) => figure(values[column.key], column.digits)),
  ];
  return [
    cells('Tonearm', result.overall),
    ...Object.entries(result.groups).map(([group, values]) => cells(`  ${group}`, values)),
    ...result.peers.map((peer) =>
      cells(peer.on === undefined ? peer.name : `${peer.name} (${peer.on})`, peer.values),
    ),
  ];
}

/** Writes `bench/results/accuracy.json` and `.md`; sets that did not run this time keep their last figures. */
export async function writeResults(results: readonly SetResult[]): Promise<void> {
  const folder = join(repoRoot, 'bench', 'results');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'accuracy.json');
  const earlier = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, SetResult>,
    () => ({}),
  );
  const merged: Record<string, SetResult> = {
    ...earlier,
    ...Object.fromEntries(results.map((result) => [result.name, result])),
  };
  const sorted = Object.fromEntries(Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(path, `${JSON.stringify(sorted, null, 2)}\n`);
  await writeFile(join(folder, 'accuracy.md'), markdown(Object.values(sorted)));
}

function markdown(results: readonly SetResult[]): string {
  const sections = results.map(
    (result) =>
      `## ${result.name}\n\n${result.title}; ${result.files} files.\n\n${markdownTable(head(result), body(result))}\n`,
  );
  return [
    '# Accuracy\n',
    'Written by `npm run bench:accuracy`; [what is measured and how](../README.md#accuracy). The other programs were',
    'measured once, with the same definitions.\n',
    ...sections,
  ].join('\n');
}
