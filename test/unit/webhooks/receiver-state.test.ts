import t from 'tap';
import { answer } from '../../helpers/receiver.js';
import { WebhookDesk } from '../../helpers/webhook-desk.js';

const minute = 60;
const sixHours = 360 * minute;

/** A desk whose receiver fails, with so many deliveries that have failed for good. */
async function failing(t: Parameters<typeof WebhookDesk.start>[0], deliveries: number): Promise<WebhookDesk> {
  // A second a step makes the walk through the schedule short.
  const desk = await WebhookDesk.start(t, { delaysMs: [0, 1000, 1000, 1000, 1000, 1000] });
  desk.receiver.behave = answer(500);
  for (let i = 0; i < deliveries; i++) {
    desk.enqueue();
    await desk.pump();
    await desk.pass(6);
  }
  return desk;
}

t.test('the fifth delivery in a row that fails disables the receiver, and not the fourth', async (t) => {
  const desk = await failing(t, 4);
  t.match(desk.webhooks.existing(desk.account), { failuresInARow: 4, disabledAt: null });
  desk.enqueue();
  await desk.pump();
  await desk.pass(6);
  t.match(desk.webhooks.existing(desk.account), { failuresInARow: 5, disabledAt: Number });
  t.equal(desk.receiver.received.length, 30);
});

t.test('a delivery that succeeds resets the count', async (t) => {
  const desk = await failing(t, 4);
  desk.receiver.behave = answer(200);
  desk.enqueue();
  await desk.pump();
  t.equal(desk.webhooks.existing(desk.account).failuresInARow, 0);
});

t.test('while disabled nothing is sent; events are skipped and can be sent again later', async (t) => {
  const desk = await failing(t, 5);
  const before = desk.receiver.received.length;
  desk.enqueue();
  await desk.pass(60);
  t.equal(desk.receiver.received.length, before);
  const [skipped] = desk.webhooks.log(desk.account);
  t.match(skipped, { outcome: 'skipped', attempt: 0 });
  t.throws(() => desk.webhooks.resend(desk.account, skipped!.deliveryId), { code: 'bad_request' });

  desk.receiver.behave = answer(200);
  desk.webhooks.enable(desk.account);
  await desk.pass(60);
  t.equal(desk.receiver.received.length, before, 'enabling alone sends no skipped event');
  desk.webhooks.resend(desk.account, skipped!.deliveryId);
  await desk.pump();
  t.equal(desk.receiver.received.length, before + 1);
  t.equal(desk.receiver.received.at(-1)?.headers['x-service-event-id'], skipped!.deliveryId);
});

t.test('deliveries under way when the receiver was disabled go on where they were', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.receiver.behave = answer(500);
  for (let i = 0; i < 4; i++) {
    desk.enqueue();
    await desk.pump();
    await desk.pass(sixHours, minute);
  }
  // Two that run at the same time: the first to fail for good disables, the other has attempts left.
  desk.enqueue();
  await desk.pump();
  await desk.pass(minute, minute);
  desk.enqueue();
  await desk.pump();
  while (desk.webhooks.existing(desk.account).disabledAt === null) await desk.pass(minute, minute);
  const before = desk.receiver.received.length;
  await desk.pass(sixHours, minute);
  t.equal(desk.receiver.received.length, before, 'nothing is sent while disabled');
  desk.receiver.behave = answer(200);
  desk.webhooks.enable(desk.account);
  await desk.pump();
  t.equal(desk.receiver.received.length, before + 1);
  t.match(desk.webhooks.log(desk.account)[0], { outcome: 'delivered', attempt: 6 });
});

t.test('an event that has ended can be sent again, and starts from its first attempt', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.enqueue();
  await desk.pump();
  const [first] = desk.webhooks.log(desk.account);
  desk.webhooks.resend(desk.account, first!.deliveryId);
  await desk.pump();
  t.equal(desk.receiver.received.length, 2);
  t.match(desk.webhooks.log(desk.account)[0], { deliveryId: first!.deliveryId, attempt: 1 });
  t.throws(() => desk.webhooks.resend('acct_other', first!.deliveryId), { code: 'not_found' });
});

t.test('an account without a receiver gets no event, and a removed one no more', async (t) => {
  const desk = await failing(t, 0);
  desk.enqueue();
  await desk.pump();
  t.equal(desk.receiver.received.length, 1);
  t.ok(desk.webhooks.remove(desk.account));
  await desk.pass(10);
  desk.enqueue();
  desk.webhooks.set(desk.account, desk.receiver.url);
  await desk.pass(10);
  t.equal(desk.receiver.received.length, 1);
});

t.test('the log keeps the 20 newest attempts with both bodies', async (t) => {
  const desk = await WebhookDesk.start(t);
  desk.receiver.behave = (response) => response.end(`thanks for ${desk.receiver.received.length}`);
  for (let i = 0; i < 25; i++) {
    desk.enqueue();
    await desk.pump();
  }
  const log = desk.webhooks.log(desk.account);
  t.equal(log.length, 20);
  t.equal(log[0]?.responseBody, 'thanks for 25');
  t.equal(JSON.parse(log[0]?.requestBody ?? '').data.job_id, 'job_25');
  t.equal(log[19]?.responseBody, 'thanks for 6');
});
