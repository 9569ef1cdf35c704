import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createAccount } from '../../../src/accounts/accounts.js';
import { startReceiver } from '../../helpers/receiver.js';
import { WebhookDesk } from '../../helpers/webhook-desk.js';

t.test('a dead receiver of one account delays nobody else', async (t) => {
  const desk = await WebhookDesk.start(t, { answerTimeoutMs: 60_000 });
  const dead = await startReceiver(t);
  dead.behave = () => {};
  const other = createAccount(desk.store, 'dead').id;
  desk.webhooks.set(other, dead.url);
  for (let i = 0; i < 500; i++) desk.webhooks.enqueue(other, 'job.completed', `job_dead_${i}`, {});
  for (let i = 0; i < 20; i++) desk.enqueue();
  desk.dispatcher.start(() => {});
  const startedAt = performance.now();
  while (desk.receiver.received.length < 20) await sleep(5);
  t.ok(performance.now() - startedAt < 5000, 'all of it was sent while the other waits');
  t.equal(dead.received.length, 4, 'which holds its own four attempts and no more');
});

t.test('an event is sent as soon as the dispatcher is woken, without waiting for its timer', async (t) => {
  const desk = await WebhookDesk.start(t, { now: Date.now });
  desk.nowMs = Date.now();
  desk.dispatcher.start(() => {});
  desk.enqueue();
  desk.dispatcher.wake();
  await sleep(200);
  t.equal(desk.receiver.received.length, 1);
  await desk.dispatcher.stop();
});

t.test('a retry comes by the timer alone', async (t) => {
  const desk = await WebhookDesk.start(t, { now: Date.now, delaysMs: [0, 100] });
  desk.nowMs = Date.now();
  desk.receiver.behave = (response) => response.writeHead(500).end();
  desk.enqueue();
  desk.dispatcher.start(() => {});
  await sleep(600);
  t.equal(desk.receiver.received.length, 2);
  await desk.dispatcher.stop();
});

t.test('the operator is told when a receiver is disabled', async (t) => {
  const desk = await WebhookDesk.start(t, { now: Date.now, delaysMs: [0] });
  desk.nowMs = Date.now();
  const lines: [string, string][] = [];
  desk.receiver.behave = (response) => response.writeHead(500).end();
  for (let i = 0; i < 5; i++) desk.enqueue();
  desk.dispatcher.start((level, message) => lines.push([level, message]));
  await sleep(300);
  await desk.dispatcher.stop();
  t.match(lines, [['warn', /disabled/]]);
  t.ok(desk.webhooks.existing(desk.account).disabledAt);
});
