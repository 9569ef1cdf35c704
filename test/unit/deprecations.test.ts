import t from 'tap';
import { deprecationHeaders, deprecations } from '../../src/http/deprecations.js';
import { endpoints } from '../../src/http/routes/index.js';
import { startService } from '../helpers/service.js';

t.test('headers are in the forms of RFC 9745 and RFC 8594', async (t) => {
  const since = new Date('2026-01-01T00:00:00Z');
  const link = 'https://example.org/changes';
  t.same(deprecationHeaders({ since, sunset: new Date('2026-06-01T00:00:00Z'), link }), {
    deprecation: '@1767225600',
    sunset: 'Mon, 01 Jun 2026 00:00:00 GMT',
    link: '<https://example.org/changes>; rel="deprecation"',
  });
  t.throws(() => deprecationHeaders({ since, sunset: new Date('2026-02-01T00:00:00Z'), link }), /90 days/);
});

t.test(
  'a deprecated endpoint says so in its answers, and only endpoints that exist are deprecated',
  async (t) => {
    const service = await startService(t);
    const ids = endpoints(service.services).map(({ operationId }) => operationId);
    for (const id of Object.keys(deprecations)) t.ok(ids.includes(id), id);
    deprecations.health = { since: new Date(0), sunset: new Date(1e12), link: 'https://example.org' };
    t.teardown(() => delete deprecations.health);
    t.equal((await service.request('/healthz')).headers.get('deprecation'), '@0');
    t.equal((await service.request('/v1/status')).headers.get('deprecation'), null);
  },
);
