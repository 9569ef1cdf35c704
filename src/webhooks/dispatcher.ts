import type { Store } from '../store/store.js';
import type { Delivery } from '../store/webhooks.js';
import { post } from './post.js';
import { attemptDelaysMs } from './schedule.js';
import { sign } from './signature.js';
import type { Webhooks } from './webhooks.js';

/** Attempts under way at once, of one account: a dead receiver holds these and nobody else's. */
const perAccount = 4;
const overall = 256;
/** Longest sleep: what another process wrote, or a clock that was set, is seen after this. */
const longestSleepMs = 5000;

export interface DispatcherOptions {
  allowPrivate: boolean;
  now?: () => number;
  /** Waits before attempt 1, 2, …; other than the real ones in tests alone. */
  delaysMs?: readonly number[];
  answerTimeoutMs?: number;
}

type Log = (level: 'warn' | 'error', message: string, facts: Record<string, unknown>) => void;

/** Sends what is due, survives restarts (all it knows is in the store), and lets no account wait for another. */
export class WebhookDispatcher {
  readonly #store: Store;
  readonly #webhooks: Webhooks;
  readonly #options: DispatcherOptions;
  readonly #delaysMs: readonly number[];
  readonly #now: () => number;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #busy = new Map<string, number>();
  #log: Log = () => {};
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(store: Store, webhooks: Webhooks, options: DispatcherOptions) {
    this.#store = store;
    this.#webhooks = webhooks;
    this.#options = options;
    this.#delaysMs = options.delaysMs ?? attemptDelaysMs;
    this.#now = options.now ?? Date.now;
  }

  start(log: Log): void {
    this.#log = log;
    this.#running = true;
    this.wake();
  }

  /** Stops sending; resolves when the attempts under way have ended and are written down. */
  async stop(): Promise<void> {
    this.#running = false;
    clearTimeout(this.#timer);
    await this.idle();
  }

  /** Looks for work now: call it after an event was committed or a receiver enabled. */
  wake(): void {
    if (!this.#running) return;
    clearTimeout(this.#timer);
    const now = this.#now();
    let sleepMs = longestSleepMs;
    try {
      this.pump();
      // What is due already and found no room is looked for again when an attempt ends.
      sleepMs = Math.min((this.#store.webhooks.nextDueAt(now) ?? Infinity) - now, longestSleepMs);
    } catch (error) {
      this.#log('error', 'looking for webhooks to send failed', { err: error });
    }
    this.#timer = setTimeout(() => this.wake(), sleepMs);
    this.#timer.unref();
  }

  /** Starts every attempt that is due and for which there is room. */
  pump(): void {
    const now = this.#now();
    // A clock set back must not put an attempt off beyond its delay.
    this.#delaysMs.forEach((delayMs, attempts) => this.#store.webhooks.bringForward(attempts, now + delayMs));
    for (const accountId of this.#store.webhooks.dueAccounts(now)) {
      // As many more than there is room for as are under way already and so will be passed over.
      for (const delivery of this.#store.webhooks.due(accountId, now, 2 * perAccount)) {
        if ((this.#busy.get(accountId) ?? 0) >= perAccount || this.#underWay.size >= overall) break;
        if (!this.#underWay.has(delivery.id)) this.#begin(delivery);
      }
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  #begin(delivery: Delivery): void {
    const { id, accountId } = delivery;
    this.#busy.set(accountId, (this.#busy.get(accountId) ?? 0) + 1);
    const leave = () => {
      this.#underWay.delete(id);
      const left = (this.#busy.get(accountId) ?? 1) - 1;
      if (left === 0) this.#busy.delete(accountId);
      else this.#busy.set(accountId, left);
    };
    const attempt = this.#attempt(delivery).then(
      () => {
        leave();
        this.wake();
      },
      (error: unknown) => {
        // It stays due; the next look comes by the timer, so that a broken disk is not asked without pause.
        leave();
        this.#log('error', 'a webhook attempt could not be written down', { err: error, delivery: id });
      },
    );
    this.#underWay.set(id, attempt);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const endpoint = this.#webhooks.endpoint(delivery.accountId);
    if (!endpoint) return;
    const startedAt = performance.now();
    const { allowPrivate, answerTimeoutMs } = this.#options;
    const secrets = this.#webhooks.signingSecrets(endpoint);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'tonearm-webhooks/1',
      'x-service-event-id': delivery.id,
      'x-service-signature': sign(secrets, Math.floor(this.#now() / 1000), delivery.body),
    };
    const result = await post(endpoint.url, headers, delivery.body, {
      allowPrivate,
      ...(answerTimeoutMs === undefined ? {} : { timeoutMs: answerTimeoutMs }),
    });
    const attempt = delivery.attempts + 1;
    const disabled = this.#webhooks.record(
      delivery,
      {
        ...result,
        attempt,
        outcome: result.error === null ? 'delivered' : 'failed',
        url: endpoint.url,
        durationMs: Math.round(performance.now() - startedAt),
      },
      this.#delaysMs[attempt],
    );
    if (disabled) {
      const message = 'a webhook receiver was disabled: too many deliveries in a row failed';
      this.#log('warn', message, { account: delivery.accountId, error: result.error });
    }
  }
}
