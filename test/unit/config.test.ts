import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ConfigError, describeSettings, loadConfig } from '../../src/config.js';

t.test('without any setting the service listens on this machine alone', async (t) => {
  t.match(loadConfig({}), {
    host: '127.0.0.1',
    port: 8080,
    dataDir: './data',
    readOnly: false,
    maxUploadMib: 200,
  });
  t.ok(loadConfig({}).threads >= 1, 'one thread a core');
});

t.test('all that is wrong is told at once', async (t) => {
  const env = {
    PORT: 'eighty',
    READ_ONLY: 'perhaps',
    TLS_CERT: 'cert.pem',
    BASE_URL: 'example.org',
    PRICES: 'bpm=-1',
  };
  try {
    loadConfig(env);
    t.fail('it was accepted');
  } catch (error) {
    t.ok(error instanceof ConfigError);
    for (const name of ['PORT', 'READ_ONLY', 'TLS_KEY', 'BASE_URL', 'PRICES'])
      t.match((error as Error).message, name);
  }
});

t.test('a file may hold settings; the environment goes before it', async (t) => {
  const file = join(t.testdir(), 'tonearm.json');
  writeFileSync(file, JSON.stringify({ PORT: 9000, HOST: '0.0.0.0', PRICES: { bpm: 2 } }));
  t.match(loadConfig({ CONFIG_FILE: file, PORT: '9001' }), {
    port: 9001,
    host: '0.0.0.0',
    prices: { bpm: 2 },
  });
  writeFileSync(file, JSON.stringify({ PROT: 9000 }));
  t.throws(() => loadConfig({ CONFIG_FILE: file }), /PROT/);
  writeFileSync(file, '[]');
  t.throws(() => loadConfig({ CONFIG_FILE: file }), /JSON object/);
  t.throws(() => loadConfig({ CONFIG_FILE: `${file}.none` }), /could not be read/);
});

t.test('every setting is described', async (t) => {
  const rows = describeSettings();
  t.equal(new Set(rows.map(({ variable }) => variable)).size, rows.length);
  for (const { variable, description } of rows) {
    t.match(variable, /^[A-Z]+(_[A-Z]+)*$/);
    t.ok(description.length > 10, variable);
  }
});
