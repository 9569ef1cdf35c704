import { createHash } from 'node:crypto';
import t from 'tap';
import { type JobService, startJobService } from '../helpers/job-service.js';

const bytes = '0123456789'.repeat(1000);

/** A completed job's file. */
async function file(service: JobService) {
  const { key } = service.account();
  const { body } = await service.submit(bytes, key);
  await service.reaches(body.job_id, 'completed');
  const job = await service.request(`/v1/jobs/${body.job_id}`, { key });
  return { id: body.job_id as string, key, ...(job.body.result.files[0] as { url: string; sha256: string }) };
}

t.test('a file is downloaded whole by its address alone', async (t) => {
  const service = await startJobService(t);
  const { url, sha256 } = await file(service);
  t.ok(url.startsWith(`${service.address}/v1/files/job_`));
  const answer = await fetch(url);
  t.equal(answer.status, 200);
  const got = await answer.text();
  t.equal(got, bytes);
  t.equal(createHash('sha256').update(got).digest('hex'), sha256);
  t.equal(answer.headers.get('content-length'), '10000');
  t.equal(answer.headers.get('content-type'), 'audio/wav');
  t.equal(answer.headers.get('accept-ranges'), 'bytes');
  t.equal(answer.headers.get('etag'), `"${sha256}"`);
  t.equal(
    answer.headers.get('content-disposition'),
    `attachment; filename="_cho _1_.bin"; filename*=UTF-8''${encodeURIComponent('écho "1".bin')}`,
  );
});

t.test('ranges give the part that was asked for', async (t) => {
  const service = await startJobService(t);
  const { url, sha256 } = await file(service);
  const get = async (headers: Record<string, string>) => {
    const answer = await fetch(url, { headers });
    return { status: answer.status, text: await answer.text(), range: answer.headers.get('content-range') };
  };
  t.same(await get({ range: 'bytes=3-6' }), { status: 206, text: '3456', range: 'bytes 3-6/10000' });
  t.same(await get({ range: 'bytes=-4' }), { status: 206, text: '6789', range: 'bytes 9996-9999/10000' });
  t.same(await get({ range: 'bytes=9998-' }), { status: 206, text: '89', range: 'bytes 9998-9999/10000' });
  t.same(await get({ range: 'bytes=9998-20000' }), {
    status: 206,
    text: '89',
    range: 'bytes 9998-9999/10000',
  });
  t.same(await get({ range: 'bytes=10000-' }), { status: 416, text: '', range: 'bytes */10000' });
  for (const odd of ['bytes=6-3', 'bytes=0-1,4-5', 'lines=0-1', 'bytes=-'])
    t.match(await get({ range: odd }), { status: 200, text: bytes, range: null }, odd);
  const etag = `"${sha256}"`;
  t.match(await get({ range: 'bytes=0-0', 'if-range': etag }), { status: 206, text: '0' });
  t.match(await get({ range: 'bytes=0-0', 'if-range': '"another"' }), { status: 200, text: bytes });
  t.match(await get({ 'if-none-match': etag }), { status: 304, text: '' });
  t.match(await get({ 'if-none-match': `W/${etag}, "x"` }), { status: 304 });
  t.match(await get({ 'if-none-match': '"another"' }), { status: 200 });
});

t.test('an address that was tampered with leads nowhere', async (t) => {
  const service = await startJobService(t);
  const [one, two] = [await file(service), await file(service)];
  const path = new URL(one.url);
  const other = new URL(two.url);
  const variants = [
    path.pathname + path.search.replace(/expires=(\d+)/, (_, s) => `expires=${Number(s) + 1}`),
    path.pathname + path.search.replace(/signature=./, 'signature=_'),
    other.pathname + path.search,
    `${path.pathname}x${path.search}`,
  ];
  for (const variant of variants) {
    const answer = await service.request(variant);
    t.equal(answer.status, 404, variant);
  }
  t.equal((await service.request(path.pathname)).status, 400);
});

t.test(
  'after 24 hours the address says that the file has expired, and it is gone from the disk',
  async (t) => {
    const service = await startJobService(t);
    const { url, id, key } = await file(service);
    const path = url.slice(service.address.length);
    service.clock.now = 24 * 3_600_000 - 5000;
    service.services.jobRetention.sweep();
    t.equal((await fetch(url)).status, 200);
    service.clock.now = 24 * 3_600_000 + 5000;
    const before = await service.request(path);
    t.equal(before.status, 410, 'even before the sweep');
    t.equal(before.body.error.code, 'file_expired');
    service.services.jobRetention.sweep();
    t.same(service.filesIn('results'), []);
    t.equal((await service.request(path)).status, 410);
    const job = await service.request(`/v1/jobs/${id}`, { key });
    t.match(job.body, { status: 'completed', result: { byte_length: 10_000, files: [] } });
  },
);
