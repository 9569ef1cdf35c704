import { TypeCompiler } from '@sinclair/typebox/compiler';
import { Value } from '@sinclair/typebox/value';
import t from 'tap';
import { analyses } from '../../src/analyses/index.js';
import { SeededRandom } from '../../src/analyses/seeded-random.js';
import { errorTable } from '../../src/errors.js';
import { jobKinds } from '../../src/jobs/index.js';
import { openApiDocument, successSchema } from '../../src/http/openapi.js';
import { endpoints } from '../../src/http/routes/index.js';
import { startService } from '../helpers/service.js';

for (const analysis of analyses) {
  t.test(`the analysis ${analysis.name} is declared whole`, async (t) => {
    t.match(analysis.name, /^[a-z]+(-[a-z]+)*$/);
    t.ok(Number.isInteger(analysis.version) && analysis.version >= 1, 'version');
    t.ok(Number.isInteger(analysis.price) && analysis.price >= 0, 'price');
    t.ok(analysis.summary && analysis.description, 'words');
    t.ok(analysis.stages.length > 0, 'something for the engine to do');
    const check = TypeCompiler.Compile(analysis.result);
    const options = Value.Create(analysis.options) as Record<string, unknown>;
    for (const seed of ['a', 'b', 'c', 'd', 'e']) {
      const mock = analysis.mock(new SeededRandom(seed), options);
      t.ok(check.Check(mock), `mock of ${seed} is true to the schema`);
      t.same(analysis.mock(new SeededRandom(seed), options), mock, 'and the same the second time');
    }
    t.not(
      JSON.stringify(analysis.mock(new SeededRandom('a'), options)),
      JSON.stringify(analysis.mock(new SeededRandom('b'), options)),
      'mocks differ by input',
    );
  });
}

for (const kind of jobKinds) {
  t.test(`the job ${kind.name} is declared whole`, async (t) => {
    t.match(kind.name, /^[a-z]+([-/][a-z]+)*$/);
    t.ok(Number.isInteger(kind.price) && kind.price >= 0, 'price');
    t.ok(kind.typicalS > 0, 'how long it takes');
    t.ok(kind.summary && kind.description, 'words');
    const check = TypeCompiler.Compile(kind.result);
    for (const seed of ['a', 'b', 'c']) {
      const mock = kind.mock(new SeededRandom(seed));
      t.ok(check.Check(mock), `mock of ${seed} is true to the schema`);
      t.same(kind.mock(new SeededRandom(seed)), mock, 'and the same the second time');
    }
  });
}

t.test('analyses have names of their own', async (t) => {
  t.equal(new Set(analyses.map(({ name }) => name)).size, analyses.length);
});

t.test('every endpoint is declared whole', async (t) => {
  const { services } = await startService(t);
  const all = endpoints(services);
  t.equal(new Set(all.map(({ method, path }) => `${method} ${path}`)).size, all.length, 'addresses differ');
  t.equal(new Set(all.map(({ operationId }) => operationId)).size, all.length, 'operation ids differ');
  for (const endpoint of all) {
    const name = `${endpoint.method} ${endpoint.path}`;
    t.ok(endpoint.summary && endpoint.description && endpoint.tag, `${name} is described`);
    t.ok(Number.isInteger(endpoint.price) && endpoint.price >= 0, `${name} has a price`);
    t.ok(successSchema(endpoint), `${name} says what it answers`);
    for (const code of endpoint.errors) t.ok(code in errorTable, `${name}: ${code} is in the table`);
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param);
    t.same(Object.keys(endpoint.params?.properties ?? {}), inPath, `${name} describes its path`);
    if (endpoint.access === 'public') continue;
    t.ok('mock' in endpoint, `${name} has a mock for test keys`);
    t.not(endpoint.rateClass, 'unlimited', `${name} is limited`);
    const isStream = endpoint.success.contentType === 'text/event-stream';
    if (!isStream)
      t.equal(endpoint.meta, endpoint.success.status === 202 ? 'job' : 'sync', `${name} carries _meta`);
    t.equal(
      endpoint.method !== 'GET' && endpoint.body?.kind === 'audio',
      endpoint.rateClass === 'upload',
      `${name} is limited as an upload if it is one`,
    );
  }
});

t.test('each analysis has its endpoint, at its price', async (t) => {
  const { services } = await startService(t, { PRICES: 'bpm=7' });
  const all = endpoints(services);
  for (const analysis of analyses) {
    const endpoint = all.find(({ method, path }) => method === 'POST' && path === `/v1/${analysis.name}`);
    t.equal(endpoint?.price, analysis.name === 'bpm' ? 7 : analysis.price, analysis.name);
  }
});

t.test('the description names every error code and none besides', async (t) => {
  const { services } = await startService(t);
  const document = openApiDocument(endpoints(services), '/') as any;
  const codes = document.components.schemas.Error.properties.error.properties.code.enum as string[];
  t.same([...codes].sort(), Object.keys(errorTable).sort());
  const described = new Set(
    [...JSON.stringify(document.paths).matchAll(/`([a-z_]+)`: /g)].map(([, code]) => code),
  );
  for (const code of described) t.ok(code! in errorTable, `${code} is in the table`);
});
