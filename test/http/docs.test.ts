import t from 'tap';
import { startService } from '../helpers/service.js';

t.test('the description is served, and complete', async (t) => {
  const service = await startService(t);
  const { body } = await service.request('/api/openapi.json');
  t.equal(body.openapi, '3.1.0');
  for (const path of [
    '/v1/bpm',
    '/v1/key',
    '/v1/key-bpm',
    '/v1/lufs',
    '/v1/beatgrid',
    '/v1/assets/{id}',
    '/v1/account',
  ]) {
    t.ok(body.paths[path], path);
  }
  const { requestBody, parameters, responses } = body.paths['/v1/lufs'].post;
  t.same(Object.keys(requestBody.content), [
    'audio/*',
    'application/octet-stream',
    'multipart/form-data',
    'application/json',
  ]);
  t.match(parameters, [{ name: 'timeline', in: 'query', required: false }]);
  for (const status of ['200', '400', '401', '402', '403', '404', '413', '415', '422', '429', '500', '503']) {
    t.ok(responses[status], status);
  }
});

t.test('the reference page needs nothing from anywhere else', async (t) => {
  const service = await startService(t);
  const page = await service.request('/docs');
  t.match(page.headers.get('content-security-policy'), /default-src 'none'/);
  t.notMatch(page.text, /https?:\/\//);
  const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part!);
  t.equal(parts.length, 3);
  for (const part of parts) {
    const answer = await service.request(`/${part}`);
    t.equal(answer.status, 200, part);
    t.match(answer.headers.get('content-type'), part.endsWith('.css') ? 'text/css' : 'text/javascript');
  }
  t.equal((await service.request('/docs/..%2f..%2fpackage.json')).status, 404);
});
