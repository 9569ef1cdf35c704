import { loadConfig } from '../config.js';
import { Store } from '../store/store.js';

/** Runs `work` on the store of DATA_DIR; the service may be running at the same time. */
export function withStore<T>(work: (store: Store) => T): T {
  const store = Store.open(loadConfig().dataDir);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

export function print(lines: string | string[]): void {
  process.stdout.write(`${typeof lines === 'string' ? lines : lines.join('\n')}\n`);
}

/** Rows under headings, columns aligned. */
export function table(headings: string[], rows: (string | number | null)[][]): string[] {
  const all = [headings, ...rows.map((row) => row.map((cell) => (cell === null ? '–' : String(cell))))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function date(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
