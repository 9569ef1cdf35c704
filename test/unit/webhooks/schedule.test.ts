import t from 'tap';
import { answer } from '../../helpers/receiver.js';
import { WebhookDesk } from '../../helpers/webhook-desk.js';

const minute = 60;
const hour = 3600;

t.test('a delivery is tried at once and 1, 5, 15 minutes, 1 and 4 hours after each failure', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.receiver.behave = answer(500, 'broken');
  const start = desk.nowMs;
  const times: number[] = [];
  desk.receiver.behave = (response) => {
    times.push((desk.nowMs - start) / 1000);
    response.writeHead(500).end('broken');
  };
  desk.enqueue();
  await desk.pump();
  await desk.pass(6 * hour);
  const expected = [0, minute, 5 * minute, 15 * minute, hour, 4 * hour].reduce<number[]>(
    (all, delay) => [...all, (all.at(-1) ?? 0) + delay],
    [],
  );
  t.same(times, expected);
  t.equal(new Set(desk.receiver.received.map(({ headers }) => headers['x-service-event-id'])).size, 1);
  t.equal(new Set(desk.receiver.received.map(({ body }) => body)).size, 1, 'the body never changes');
  const log = desk.webhooks.log(desk.account);
  t.same(
    log.map(({ attempt }) => attempt),
    [6, 5, 4, 3, 2, 1],
  );
  t.match(log[0], { outcome: 'failed', statusCode: 500, responseBody: 'broken', at: start + 19_260_000 });
  t.equal(desk.store.webhooks.delivery(log[0]!.deliveryId)?.status, 'failed');
  t.equal(desk.webhooks.existing(desk.account).failuresInARow, 1, 'a delivery counts once, not its attempts');
});

t.test('a delivery that succeeds is not sent again', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.receiver.behave = (response) =>
    response.writeHead(desk.receiver.received.length === 1 ? 503 : 204).end();
  desk.enqueue();
  await desk.pump();
  await desk.pass(2 * hour);
  t.equal(desk.receiver.received.length, 2);
  t.same(
    desk.webhooks.log(desk.account).map(({ outcome }) => outcome),
    ['delivered', 'failed'],
  );
});

t.test('a delivery that fell due while the service was down is sent at the next start', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.receiver.behave = answer(500);
  desk.enqueue();
  await desk.pump();
  desk.nowMs += 3 * hour * 1000;
  const { WebhookDispatcher } = await import('../../../src/webhooks/dispatcher.js');
  const restarted = new WebhookDispatcher(desk.store, desk.webhooks, {
    allowPrivate: true,
    now: () => desk.nowMs,
  });
  desk.receiver.behave = answer(200);
  restarted.start(() => {});
  await restarted.stop();
  t.equal(desk.receiver.received.length, 2);
});

t.test('a clock set back puts no attempt off beyond its delay', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.receiver.behave = answer(500);
  desk.enqueue();
  await desk.pump();
  desk.nowMs -= 48 * hour * 1000;
  await desk.pass(minute - 1);
  t.equal(desk.receiver.received.length, 1);
  await desk.pass(2);
  t.equal(desk.receiver.received.length, 2);
});

t.test('a clock set forward sends each waiting delivery once', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.receiver.behave = answer(500);
  desk.enqueue();
  await desk.pump();
  desk.nowMs += 24 * hour * 1000;
  await desk.pump();
  t.equal(desk.receiver.received.length, 2);
});
