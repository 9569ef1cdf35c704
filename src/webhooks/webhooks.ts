import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { ulid } from 'ulid';
import { ApiError } from '../errors.js';
import type { Store } from '../store/store.js';
import type { Attempt, Delivery, DeliveryStatus, WebhookEndpoint } from '../store/webhooks.js';
import { isPrivateAddress, PrivateAddressError } from './address.js';
import { failuresToDisable } from './schedule.js';

export type EventType = 'job.completed' | 'job.failed';

export type AttemptResult = Omit<Attempt, 'accountId' | 'deliveryId' | 'requestBody' | 'at'>;

const hourMs = 3_600_000;
/** A delivery's row outlives its last attempt by this, so that it can be sent again. */
const keptMs = 30 * 24 * hourMs;

export interface WebhooksOptions {
  /** Allow receivers on private and link-local addresses. */
  allowPrivate: boolean;
  now?: () => number;
}

/** The receiver of each account, the events meant for it, and their log. Sending is the dispatcher's business. */
export class Webhooks {
  readonly #store: Store;
  readonly #allowPrivate: boolean;
  readonly #now: () => number;

  constructor(store: Store, { allowPrivate, now = Date.now }: WebhooksOptions) {
    this.#store = store;
    this.#allowPrivate = allowPrivate;
    this.#now = now;
  }

  endpoint(accountId: string): WebhookEndpoint | undefined {
    return this.#store.webhooks.endpoint(accountId);
  }

  /** Throws ApiError not_found when the account has no receiver. */
  existing(accountId: string): WebhookEndpoint {
    const endpoint = this.endpoint(accountId);
    if (!endpoint) throw new ApiError('not_found', 'The account has no webhook receiver. Set one first.');
    return endpoint;
  }

  /** Sets the account's one receiver; an existing one keeps its secret. Throws ApiError invalid_parameter. */
  set(accountId: string, url: string): WebhookEndpoint {
    this.#checkUrl(url);
    return this.#store.transaction(() => {
      const old = this.endpoint(accountId);
      return this.#put({
        accountId,
        url,
        secret: old?.secret ?? newSecret(),
        previousSecret: old?.previousSecret ?? null,
        previousUntil: old?.previousUntil ?? null,
        failuresInARow: 0,
        disabledAt: null,
      });
    });
  }

  /** Events that were on their way are skipped. */
  remove(accountId: string): boolean {
    return this.#store.transaction(() => {
      this.#store.webhooks.skipPending(accountId);
      return this.#store.webhooks.removeEndpoint(accountId);
    });
  }

  /** A new secret; deliveries carry a signature of the old one too for `overlapH` hours (0–72). */
  rotateSecret(accountId: string, overlapH: number): WebhookEndpoint {
    if (!(overlapH >= 0 && overlapH <= 72)) throw new RangeError('the overlap is 0 to 72 hours');
    return this.#store.transaction(() => {
      const old = this.existing(accountId);
      const previousUntil = this.#now() + overlapH * hourMs;
      return this.#put({ ...old, secret: newSecret(), previousSecret: old.secret, previousUntil });
    });
  }

  /** Deliveries that were under way go on where they were; skipped ones wait for `resend`. */
  enable(accountId: string): WebhookEndpoint {
    return this.#store.transaction(() =>
      this.#put({ ...this.existing(accountId), failuresInARow: 0, disabledAt: null }),
    );
  }

  /**
   * Puts an event on its way, in the caller's transaction with what it tells of; nothing happens when the account has no
   * receiver. While the receiver is disabled the event is kept as skipped.
   */
  enqueue(accountId: string, type: EventType, jobId: string, data: Record<string, unknown>): void {
    const endpoint = this.endpoint(accountId);
    if (!endpoint) return;
    const now = this.#now();
    const skipped = endpoint.disabledAt !== null;
    const delivery: Delivery = {
      id: `evt_${ulid(now)}`,
      accountId,
      type,
      jobId,
      body: JSON.stringify({ type, created: Math.floor(now / 1000), data }),
      status: skipped ? 'skipped' : 'pending',
      attempts: 0,
      nextAttemptAt: skipped ? null : now,
      createdAt: now,
    };
    this.#store.webhooks.insertDelivery(delivery);
    if (skipped) this.#log(delivery, endpoint.url, { outcome: 'skipped', attempt: 0 });
  }

  /**
   * Sends a delivery again now: an ended or skipped one from its first attempt, a pending one ahead of its time.
   * Throws ApiError not_found or, while the receiver is disabled, bad_request.
   */
  resend(accountId: string, deliveryId: string): void {
    this.#store.transaction(() => {
      const delivery = this.#store.webhooks.delivery(deliveryId);
      if (delivery?.accountId !== accountId)
        throw new ApiError('not_found', `There is no delivery ${deliveryId}.`);
      if (this.existing(accountId).disabledAt !== null) {
        throw new ApiError(
          'bad_request',
          'The receiver is disabled. Enable it first, then send the event again.',
        );
      }
      const attempts = delivery.status === 'pending' ? delivery.attempts : 0;
      const nextAttemptAt = this.#now();
      this.#store.webhooks.updateDelivery({ id: deliveryId, status: 'pending', attempts, nextAttemptAt });
    });
  }

  /** Ids of the deliveries that failed or were skipped, oldest first. */
  unsent(accountId: string): string[] {
    return this.#store.webhooks.unsent(accountId);
  }

  /** The newest attempts, newest first. */
  log(accountId: string): (Attempt & { id: number })[] {
    return this.#store.webhooks.attempts(accountId);
  }

  /** Secrets that sign now: the current one, and during a rotation the one before. */
  signingSecrets(endpoint: WebhookEndpoint): string[] {
    const { secret, previousSecret, previousUntil } = endpoint;
    return previousSecret !== null && (previousUntil ?? 0) > this.#now()
      ? [secret, previousSecret]
      : [secret];
  }

  /**
   * Writes down how an attempt ended and what follows from it: delivered, another attempt `retryAfterMs` from now, or
   * (undefined) failed for good. The fifth delivery in a row that fails for good disables the receiver; true then.
   */
  record(delivery: Delivery, attempt: AttemptResult, retryAfterMs: number | undefined): boolean {
    return this.#store.transaction(() => {
      this.#log(delivery, attempt.url, attempt);
      const endpoint = this.endpoint(delivery.accountId);
      const delivered = attempt.outcome === 'delivered';
      const again = !delivered && retryAfterMs !== undefined;
      const put = (status: DeliveryStatus, nextAttemptAt: number | null = null) => {
        const { id } = delivery;
        this.#store.webhooks.updateDelivery({ id, status, attempts: attempt.attempt, nextAttemptAt });
      };
      if (delivered) put('delivered');
      else if (!endpoint) put('skipped');
      else if (again) put('pending', this.#now() + retryAfterMs);
      else put('failed');
      if (!endpoint || again) return false;
      const failuresInARow = delivered ? 0 : endpoint.failuresInARow + 1;
      const disables = endpoint.disabledAt === null && failuresInARow >= failuresToDisable;
      const disabledAt = disables ? this.#now() : endpoint.disabledAt;
      if (failuresInARow !== endpoint.failuresInARow) this.#put({ ...endpoint, failuresInARow, disabledAt });
      return disables;
    });
  }

  /** Forgets deliveries that ended long ago. */
  sweep(): void {
    this.#store.webhooks.purge(this.#now() - keptMs);
  }

  #put(endpoint: Omit<WebhookEndpoint, 'updatedAt'>): WebhookEndpoint {
    const updated = { ...endpoint, updatedAt: this.#now() };
    this.#store.webhooks.putEndpoint(updated);
    return updated;
  }

  #log(
    delivery: Delivery,
    url: string,
    attempt: Partial<Attempt> & Pick<Attempt, 'outcome' | 'attempt'>,
  ): void {
    this.#store.webhooks.logAttempt({
      statusCode: null,
      responseBody: null,
      error: null,
      durationMs: null,
      ...attempt,
      url,
      accountId: delivery.accountId,
      deliveryId: delivery.id,
      requestBody: delivery.body,
      at: this.#now(),
    });
  }

  /** Names are checked when the connection is made; what is plainly wrong is refused here already. */
  #checkUrl(url: string): void {
    const expected = 'Send the full address of your receiver, for example https://example.com/hooks.';
    const refuse = (why: string) =>
      new ApiError('invalid_parameter', `The webhook address ${why}. ${expected}`, { param: 'url' });
    if (!URL.canParse(url)) throw refuse('is not a URL');
    const { protocol, hostname, username, password } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') throw refuse('must begin with https:// or http://');
    if (username !== '' || password !== '') throw refuse('must not hold a user name or a password');
    const host = hostname.replace(/^\[|\]$/g, '');
    if (!this.#allowPrivate && (host === 'localhost' || (isIP(host) !== 0 && isPrivateAddress(host)))) {
      throw new ApiError('invalid_parameter', new PrivateAddressError(host).message, { param: 'url' });
    }
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}
