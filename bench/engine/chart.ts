/** A measured ratio beside the most it may be. */
export interface Bar {
  name: string;
  ratio: number;
  limit: number;
}

const WIDTH = 760;
const ROW = 44;
const LEFT = 330;
const RIGHT = 70;

/** A bar a ratio with its limit as a line, as SVG. The same figures give the same bytes. */
export function ratioChart(title: string, bars: readonly Bar[]): string {
  const largest = Math.max(...bars.flatMap((bar) => [bar.ratio, bar.limit]));
  const x = (value: number): string => (LEFT + (value / largest) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const rows = bars.map((bar, i) => {
    const top = 48 + i * ROW;
    const colour = bar.ratio <= bar.limit ? '#2f7d4f' : '#b3402a';
    const width = (Number(x(bar.ratio)) - LEFT).toFixed(1);
    return [
      `<text x="${LEFT - 12}" y="${top + 17}" text-anchor="end">${escape(bar.name)}</text>`,
      `<rect x="${LEFT}" y="${top}" width="${width}" height="24" fill="${colour}"/>`,
      `<line x1="${x(bar.limit)}" y1="${top - 5}" x2="${x(bar.limit)}" y2="${top + 29}" stroke="#333" stroke-width="2"/>`,
      `<text x="${Number(x(Math.max(bar.ratio, bar.limit))) + 8}" y="${top + 17}">${bar.ratio.toFixed(2)}</text>`,
    ].join('\n');
  });
  const height = 48 + bars.length * ROW + 24;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="14">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="26" font-size="16" font-weight="bold">${escape(title)}</text>`,
    ...rows,
    `<text x="${LEFT}" y="${height - 10}" font-size="12" fill="#555">Line: the goal. Shorter is faster.</text>`,
    '</svg>',
    '',
  ].join('\n');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
