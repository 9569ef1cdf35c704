import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startJobService } from '../helpers/job-service.js';

interface Event {
  id: string;
  event: string;
  data: { status: string; progress?: number };
}

function parse(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('id: '))
    .map((block) => {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)));
      return { ...fields, data: JSON.parse(fields.data) } as Event;
    });
}

t.test('a job can be followed from queue to end, and the stream ends with it', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account();
  const open = service.echo.close();
  const { body } = await service.submit('one', key);
  const following = service.request(`/v1/jobs/${body.job_id}/events`, { key });
  await sleep(50);
  service.services.jobRunner.start(() => {});
  while (service.echo.started.length === 0) await sleep(5);
  open();
  const answer = await following;
  t.match(answer.headers.get('content-type'), /^text\/event-stream/);
  const events = parse(answer.text);
  t.equal(events[0]?.event, 'queued');
  t.equal(events.at(-1)?.event, 'completed');
  t.ok(
    events.some(({ data }) => data.progress === 0.5),
    'progress is among them',
  );
  t.ok(events.every(({ event, data }) => event === data.status));
  t.equal(new Set(events.map(({ id }) => id)).size, events.length, 'each id once');

  const last = { 'last-event-id': events.at(-1)!.id };
  const again = await service.request(`/v1/jobs/${body.job_id}/events`, { key, headers: last });
  t.same(parse(again.text), [], 'what was seen is not sent again');
  const earlier = { 'last-event-id': events[0]!.id };
  const rest = await service.request(`/v1/jobs/${body.job_id}/events`, { key, headers: earlier });
  t.same(parse(rest.text), [events.at(-1)], 'and what was missed is');
});

t.test('streams end when the service stops, and are limited by account', async (t) => {
  const service = await startJobService(t, {}, { isRunning: false });
  const { key } = service.account();
  const { body } = await service.submit('one', key);
  const controller = new AbortController();
  const streams = Array.from({ length: 16 }, () =>
    fetch(`${service.address}/v1/jobs/${body.job_id}/events`, {
      headers: { authorization: `Bearer ${key}` },
      signal: controller.signal,
    }),
  );
  await Promise.all(streams);
  const refused = await service.request(`/v1/jobs/${body.job_id}/events`, { key });
  t.equal(refused.status, 429);
  t.equal(refused.body.error.code, 'concurrency_exceeded');
  controller.abort();
  for (let i = 0; i < 100 && service.services.jobLifecycle.listenerCount('closing') > 0; i++) await sleep(10);
  t.equal(service.services.jobLifecycle.listenerCount('closing'), 0, 'a client that leaves is forgotten');
  const following = service.request(`/v1/jobs/${body.job_id}/events`, { key });
  while (service.services.jobLifecycle.listenerCount('closing') === 0) await sleep(5);
  service.services.jobLifecycle.emit('closing');
  t.equal((await following).status, 200);
});
