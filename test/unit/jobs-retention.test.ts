import { mkdirSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { startJobService } from '../helpers/job-service.js';

const hour = 3_600_000;

t.test(
  'an upload is kept for an hour at most: a job that did not get its turn fails and is refunded',
  async (t) => {
    const service = await startJobService(t, {}, { isRunning: false });
    const { id, key } = service.account();
    const { body } = await service.submit('some audio', key);
    service.clock.now = hour - 5000;
    service.services.jobRetention.sweep();
    t.equal(service.filesIn('staging').length, 1);
    service.clock.now = hour + 5000;
    service.services.jobRetention.sweep();
    t.same(service.filesIn('staging'), []);
    const job = service.services.store.jobs.get(body.job_id);
    t.match(job, { status: 'failed', errorCode: 'service_unavailable', creditsUsed: 0 });
    t.equal(service.services.credits.balance(id), 100);
  },
);

t.test('the upload of a job that runs for longer than an hour goes, and the job goes on', async (t) => {
  const service = await startJobService(t);
  const { key } = service.account();
  const open = service.echo.close();
  const { body } = await service.submit('some audio', key);
  await service.reaches(body.job_id, 'processing');
  while (service.echo.started.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  service.clock.now = hour + 5000;
  service.services.jobRetention.sweep();
  t.same(service.filesIn('staging'), []);
  open();
  await service.reaches(body.job_id, 'completed');
});

t.test('files that a crash left without a row are removed', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account();
  await service.submit('some audio', key);
  for (const folder of ['staging', 'results']) {
    const path = `${service.services.config.dataDir}/${folder}`;
    mkdirSync(path, { recursive: true });
    writeFileSync(`${path}/${'0'.repeat(32)}`, 'left behind');
  }
  service.services.jobRetention.sweep();
  t.equal(service.filesIn('staging').length, 1, 'what is queued stays');
  t.same(service.filesIn('results'), []);
});

t.test('a job can be asked for 30 days after its end, and is forgotten then', async (t) => {
  const service = await startJobService(t);
  const { key } = service.account();
  const { body } = await service.submit('some audio', key);
  await service.reaches(body.job_id, 'completed');
  for (const [days, status] of [
    [29, 200],
    [31, 404],
  ] as const) {
    service.clock.now = days * 24 * hour;
    service.services.jobRetention.sweep();
    t.equal((await service.request(`/v1/jobs/${body.job_id}`, { key })).status, status, `${days} days`);
  }
  t.same(service.filesIn('results'), []);
});

t.test('idempotency keys go after 24 hours', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { id, key } = service.account();
  await service.submit('some audio', key, { 'idempotency-key': 'k' });
  const { idempotency } = service.services.store;
  service.clock.now = 24 * hour - 5000;
  service.services.jobRetention.sweep();
  t.ok(idempotency.get(id, 'k'));
  service.clock.now = 24 * hour + 5000;
  service.services.jobRetention.sweep();
  t.notOk(idempotency.get(id, 'k'));
});
