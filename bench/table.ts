/** Cells of one row; the first one names it. */
export type TableRow = readonly string[];

/** A figure with fixed digits, and a dash for one that was not measured. */
export function figure(value: number | undefined, digits: number): string {
  return value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
}

/** For a terminal: columns under each other, figures to the right. */
export function textTable(head: TableRow, rows: readonly TableRow[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: TableRow): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

export function markdownTable(head: TableRow, rows: readonly TableRow[]): string {
  const line = (row: TableRow): string => `| ${row.join(' | ')} |`;
  const rule = head.map((_, i) => (i === 0 ? '---' : '--:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
