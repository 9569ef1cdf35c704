import type { Test } from 'tap';
import { createAccount } from '../../src/accounts/accounts.js';
import { Store } from '../../src/store/store.js';
import { type DispatcherOptions, WebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { Webhooks } from '../../src/webhooks/webhooks.js';
import { type Receiver, startReceiver } from './receiver.js';

/** Webhooks of one account to one receiver, under a clock that the test moves. */
export class WebhookDesk {
  readonly store: Store;
  readonly webhooks: Webhooks;
  readonly dispatcher: WebhookDispatcher;
  readonly account: string;
  readonly receiver: Receiver;
  nowMs = Date.UTC(2026, 0, 1);
  #jobs = 0;

  constructor(store: Store, receiver: Receiver, options: Partial<DispatcherOptions>) {
    this.store = store;
    this.receiver = receiver;
    const now = () => this.nowMs;
    this.webhooks = new Webhooks(store, { allowPrivate: true, now });
    this.dispatcher = new WebhookDispatcher(store, this.webhooks, { allowPrivate: true, now, ...options });
    this.account = createAccount(store, 'test').id;
    this.webhooks.set(this.account, receiver.url);
  }

  static async start(t: Test, options: Partial<DispatcherOptions> = {}): Promise<WebhookDesk> {
    const store = Store.open(t.testdir());
    const receiver = await startReceiver(t);
    t.teardown(() => store.close());
    return new WebhookDesk(store, receiver, options);
  }

  enqueue(): void {
    const job = `job_${++this.#jobs}`;
    this.webhooks.enqueue(this.account, 'job.completed', job, { job_id: job });
  }

  /** Sends all that is due now and waits for the answers. */
  async pump(): Promise<void> {
    let before;
    do {
      before = this.receiver.received.length;
      this.dispatcher.pump();
      await this.dispatcher.idle();
    } while (this.receiver.received.length > before);
  }

  /** Moves the clock by steps, sending what falls due at each. */
  async pass(seconds: number, stepS = 1): Promise<void> {
    for (let i = 0; i < seconds; i += stepS) {
      this.nowMs += stepS * 1000;
      this.dispatcher.pump();
      await this.dispatcher.idle();
    }
  }
}
