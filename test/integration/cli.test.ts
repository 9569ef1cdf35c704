import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { analyses } from '../../src/analyses/index.js';
import { tonearm } from '../helpers/cli.js';
import { beats } from '../helpers/signals.js';

t.test('analyze prints one flat JSON object a line, in the order asked, and tells what failed', async (t) => {
  const dir = t.testdir({ 'notes.mp3': 'no music', 'cover.jpg': 'a picture, which is not opened' });
  mkdirSync(join(dir, 'more'));
  writeFileSync(join(dir, 'a.wav'), beats(120, 8));
  writeFileSync(join(dir, 'more', 'b.wav'), beats(90, 8));
  const { code, stdout, stderr } = await tonearm(['analyze', '--json', dir, join(dir, 'none.wav')]);
  t.equal(code, 1, 'since some failed');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.same(
    lines.map(({ file }) => file.slice(dir.length + 1)),
    ['a.wav', 'more/b.wav', 'notes.mp3', 'none.wav'],
  );
  const [a, b, notes, none] = lines;
  for (const record of [a, b]) {
    t.match(record, {
      duration_s: 8,
      camelot: /^\d+[AB]$/,
      beats: Array,
      downbeats: Array,
      integrated_lufs: Number,
    });
    const fields = [
      'tempo',
      'tempo_confidence',
      'tempo_alternatives',
      'key',
      'mode',
      'key_confidence',
      'key_alternatives',
      'positions',
      'true_peak_dbtp',
    ];
    for (const field of fields) t.ok(field in record, field);
    for (const field of ['confidence', 'alternatives', '_meta'])
      t.notOk(field in record, `${field} would be ambiguous`);
  }
  t.match(notes.error, { code: 'unsupported_media_type', message: String });
  t.match(none.error, { code: 'not_found' });
  t.match(stderr, /notes\.mp3: .*\n/);
  t.match(stderr, /none\.wav: .*\n/);
  t.notOk(stderr.includes('\u001b'), 'no progress bar in a pipe');
});

t.test('--only limits what is found, and every analysis can be named', async (t) => {
  const dir = t.testdir();
  const file = join(dir, 'a.wav');
  writeFileSync(file, beats(120, 4));
  const { code, stdout } = await tonearm(['analyze', '--json', '--only', 'lufs', file]);
  t.equal(code, 0);
  const record = JSON.parse(stdout);
  t.ok('integrated_lufs' in record);
  t.notOk('tempo' in record || 'key' in record);
  const all = await tonearm(['analyze', '--only', analyses.map(({ name }) => name).join(','), file]);
  t.equal(all.code, 0);
  t.match(all.stdout, /tempo +\d/);
  const wrong = await tonearm(['analyze', '--only', 'loudness', file]);
  t.equal(wrong.code, 1);
  t.match(wrong.stderr, /Unknown: loudness.*lufs/);
});

t.test('accounts and keys are managed from the command line', async (t) => {
  const env = { DATA_DIR: t.testdir() };
  const made = await tonearm(['accounts', 'create', 'Ada', '--credits', '7'], env);
  const id = /acct_\w+/.exec(made.stdout)?.[0] ?? '';
  t.match((await tonearm(['accounts', 'grant', id, '5'], env)).stdout, /12 credits/);
  t.match((await tonearm(['accounts', 'list'], env)).stdout, new RegExp(`${id} +Ada +12 `));
  const key = await tonearm(['keys', 'create', id, '--mode', 'test', '--scopes', 'lookup,jobs'], env);
  t.match(key.stdout, /svc_test_[0-9A-Za-z]{43}/);
  const keyId = /key_\w+/.exec(key.stdout)?.[0] ?? '';
  const rotated = await tonearm(['keys', 'rotate', keyId, '--overlap-hours', '1'], env);
  t.match(rotated.stdout, /svc_test_[0-9A-Za-z]{43}/);
  t.equal((await tonearm(['keys', 'revoke', keyId], env)).code, 0);
  const again = await tonearm(['keys', 'revoke', keyId], env);
  t.equal(again.code, 1);
  t.match(again.stderr, /no key/);
  t.match((await tonearm(['keys', 'list', id], env)).stdout, /svc_test_….*lookup,jobs/);
  t.match((await tonearm(['accounts', 'grant', 'acct_none', '5'], env)).stderr, /no account acct_none/);
});
