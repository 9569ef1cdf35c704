// `npm run docs`: writes the tables of README.md that follow from the code: settings, errors, endpoints' prices.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { analyses } from '../analyses/index.js';
import { describeSettings } from '../config.js';
import { errorTable } from '../errors.js';

export const readmePath = fileURLToPath(new URL('../../README.md', import.meta.url));

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const tables: Record<string, () => string> = {
  settings: () =>
    table(
      ['Variable', 'Default', 'Meaning'],
      describeSettings().map((row) => [
        `\`${row.variable}\``,
        row.default && `\`${row.default}\``,
        row.description,
      ]),
    ),
  errors: () =>
    table(
      ['Status', 'Code', 'Meaning'],
      Object.entries(errorTable).map(([code, { status, title }]) => [String(status), `\`${code}\``, title]),
    ),
  analyses: () =>
    table(
      ['Endpoint', 'Credits', 'Answers'],
      analyses.map(({ name, price, summary }) => [`\`POST /v1/${name}\``, String(price), summary]),
    ),
};

/** The README's text with every generated table as it should be. */
export function withTables(readme: string): string {
  return readme.replace(
    /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (whole, open: string, name: string, close: string) => {
      const make = tables[name];
      if (!make) throw new Error(`README.md asks for a table "${name}", which is not made here`);
      return `${open}\n${make()}\n\n${close}`;
    },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(readmePath, withTables(readFileSync(readmePath, 'utf8')));
}
