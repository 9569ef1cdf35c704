import { readFileSync } from 'node:fs';
import t from 'tap';
import { readmePath, withTables } from '../../src/docs/readme.js';

t.test('the tables of the README are what the code says; `npm run docs` writes them', (t) => {
  const readme = readFileSync(readmePath, 'utf8');
  t.equal(readme, withTables(readme));
  t.end();
});
