import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.js';

/** A repeat that comes while the first is still being received waits for it this long before it is refused. */
const longestWaitMs = 1000;
const pattern = /^[\x21-\x7e]{1,255}$/;

/** The header, where it was sent. Throws ApiError invalid_parameter. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && pattern.test(key)) return key;
  throw new ApiError(
    'invalid_parameter',
    'The header Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.',
    { param: 'Idempotency-Key' },
  );
}

/** Idempotency keys of requests that run now. What they led to is in the database. */
export class IdempotencyGuard {
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Takes the key for a request and returns how to give it back. When two arrive at the same instant, the second waits
   * until the first is answered, and then finds its job. Throws ApiError idempotency_in_progress when that takes long.
   */
  async enter(accountId: string, key: string): Promise<() => void> {
    const id = `${accountId}:${key}`;
    const waited = AbortSignal.timeout(longestWaitMs);
    for (let other = this.#running.get(id); other; other = this.#running.get(id)) {
      if (waited.aborted) throw inProgress();
      await Promise.race([other, sleep(longestWaitMs, undefined, { signal: waited }).catch(() => {})]);
    }
    let end = () => {};
    this.#running.set(id, new Promise<void>((resolve) => (end = resolve)));
    return () => {
      this.#running.delete(id);
      end();
    };
  }
}

function inProgress(): ApiError {
  return new ApiError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being received. Send this one again once that is answered.',
    { param: 'Idempotency-Key', headers: { 'retry-after': '1' } },
  );
}
