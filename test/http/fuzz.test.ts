import fc from 'fast-check';
import t from 'tap';
import { openApiDocument } from '../../src/http/openapi.js';
import { endpoints } from '../../src/http/routes/index.js';
import { startService } from '../helpers/service.js';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  schema: { type?: string; minimum?: number; maximum?: number };
}

interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  contentTypes: string[];
}

const requests = 2000;

/** Often what the schema asks for, often what it does not. */
function valueFor({ schema }: Parameter): fc.Arbitrary<string> {
  const fitting: Record<string, fc.Arbitrary<unknown>> = {
    integer: fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 500 }),
    number: fc.double({ noNaN: true }),
    boolean: fc.boolean(),
  };
  const any = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constantFrom('', 'null', '-1', '1e999', '../..', '%00', '{}'),
  );
  return fc.oneof(fitting[schema.type ?? ''] ?? fc.string({ minLength: 1 }), any).map(String);
}

function requestFor(operation: Operation) {
  const parameters = Object.fromEntries(
    operation.parameters.map((each) => [each.name, fc.option(valueFor(each), { nil: undefined, freq: 3 })]),
  );
  const json = fc.oneof(
    fc.json(),
    fc.record({ asset_id: fc.oneof(fc.string(), fc.integer()) }).map((body) => JSON.stringify(body)),
  );
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString('latin1'));
  const types = [
    ...operation.contentTypes,
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json',
    'audio/mpeg',
    '',
  ];
  return fc.record({
    operation: fc.constant(operation),
    parameters: fc.record(parameters),
    unknown: fc.option(fc.tuple(fc.string(), fc.string()), { freq: 6 }),
    contentType: fc.constantFrom(...types),
    body: fc.option(
      fc.oneof(
        json,
        bytes,
        fc.constant(
          '--x\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nabc\r\n--x--\r\n',
        ),
      ),
      { freq: 4 },
    ),
    key: fc.constantFrom('live', 'live', 'live', 'wrong', 'none'),
    accept: fc.constantFrom('*/*', 'application/problem+json', 'text/html'),
  });
}

t.test('thousands of requests made up from the description never fail inside nor leave it', async (t) => {
  const service = await startService(t, { REQUESTS_PER_MINUTE: '1000000' });
  const { key } = service.account({ credits: 1_000_000 });
  const document = openApiDocument(endpoints(service.services), '/') as any;
  const operations: Operation[] = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      contentTypes: Object.keys(requestBody?.content ?? {}),
    })),
  );
  const keys = { live: { key }, wrong: { key: `svc_live_${'x'.repeat(43)}` }, none: {} };
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(...operations.map(requestFor)), async (made) => {
      let { path } = made.operation;
      const query = new URLSearchParams();
      for (const { name, in: place } of made.operation.parameters) {
        const value = made.parameters[name];
        if (place === 'path')
          path = path.replace(`{${name}}`, encodeURIComponent(value?.toWellFormed() || 'none'));
        else if (value !== undefined) query.append(name, value);
      }
      if (made.unknown) query.append(...made.unknown);
      const headers: Record<string, string> = { accept: made.accept };
      const hasBody = made.operation.method !== 'GET' && made.body !== null;
      if (hasBody) headers['content-type'] = made.contentType.replace('*', 'x');
      const init: RequestInit & { key?: string } = {
        method: made.operation.method,
        headers,
        ...keys[made.key],
      };
      if (hasBody) init.body = Buffer.from(made.body!, 'latin1');
      // Dots would be taken out by the client itself.
      if (/\/(\.|%2e)+($|\?)/i.test(path)) return;
      const answer = await service.request(`${path}?${query.toString()}`, init);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500)
        throw new Error(`${made.operation.method} ${path}: ${answer.status} ${answer.text}`);
    }),
    { numRuns: requests },
  );
  t.comment(`answers by status: ${JSON.stringify([...statuses].sort())}`);
  for (const status of [200, 400, 401, 404, 415]) t.ok(statuses.get(status), `some were ${status}`);
  t.equal(service.services.uploadMemory.usedBytes, 0);
});
