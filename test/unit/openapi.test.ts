import { readFileSync } from 'node:fs';
import { validate } from '@scalar/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { openApiPath, openApiText } from '../../src/docs/openapi.js';

t.test('openapi.json is what the code describes; run "npm run docs" when it is not', async (t) => {
  t.equal(readFileSync(openApiPath, 'utf8'), openApiText());
});

t.test('two validators that know nothing of each other find the document valid', async (t) => {
  const document = JSON.parse(openApiText()) as Record<string, unknown>;
  const first = await new Validator().validate(structuredClone(document));
  t.same(first.errors ?? [], []);
  t.ok(first.valid);
  const second = await validate(structuredClone(document));
  t.same(second.errors ?? [], []);
  t.ok(second.valid);
});
