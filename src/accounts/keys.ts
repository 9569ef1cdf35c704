import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ulid } from 'ulid';
import { ApiError } from '../errors.js';
import type { ApiKey, KeyMode } from '../store/keys.js';
import type { Store } from '../store/store.js';

export const scopes = ['lookup', 'analyze', 'jobs', 'account'] as const;
export type Scope = (typeof scopes)[number];

/** 32 random bytes in base62 take 43 characters. */
const secretLength = 43;
const keyPattern = new RegExp(`^svc_(live|test)_[0-9A-Za-z]{${secretLength}}$`);
const lastUseResolutionMs = 60_000;

export interface CreateKeyOptions {
  name?: string;
  /** All when left out. */
  scopes?: Scope[];
  expiresAt?: number;
}

export interface CreatedKey {
  key: ApiKey;
  /** The key itself: shown once, stored nowhere. */
  secret: string;
}

/** API keys: made, rotated, revoked, and recognised. */
export class Keys {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  create(accountId: string, mode: KeyMode, options: CreateKeyOptions = {}): CreatedKey {
    const secret = `svc_${mode}_${base62(randomBytes(32))}`;
    const key: ApiKey = {
      id: `key_${ulid(this.#now())}`,
      accountId,
      name: options.name ?? mode,
      mode,
      hint: `svc_${mode}_…${secret.slice(-4)}`,
      scopes: options.scopes ?? null,
      createdAt: this.#now(),
      expiresAt: options.expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
    };
    this.#store.keys.insert(key, hashOf(secret));
    return { key, secret };
  }

  /** A new key with the same account, mode, name and scopes; the old one lives on for `overlapH` hours (0–72). */
  rotate(id: string, overlapH: number): CreatedKey {
    if (!(overlapH >= 0 && overlapH <= 72)) throw new RangeError('the overlap is 0 to 72 hours');
    return this.#store.transaction(() => {
      const old = this.#store.keys.get(id);
      if (!old || old.revokedAt !== null) throw new Error(`there is no usable key ${id}`);
      const options: CreateKeyOptions = { name: old.name };
      if (old.scopes) options.scopes = old.scopes as Scope[];
      const created = this.create(old.accountId, old.mode, options);
      this.#store.keys.expireBy(id, this.#now() + overlapH * 3_600_000);
      return created;
    });
  }

  /** Effective at once: every request reads the key's row. False when there was nothing to revoke. */
  revoke(id: string): boolean {
    return this.#store.keys.revoke(id, this.#now());
  }

  /**
   * The key of an `Authorization` header. Throws ApiError missing_api_key or invalid_api_key; unknown, revoked and
   * expired keys get the same answer, so that it tells nothing.
   *
   * The row is found by the SHA-256 of what was sent: how far a guess agrees with a stored hash says nothing about the
   * key, and the last comparison is in constant time. Anything that cannot be a key is refused before it is hashed.
   */
  authenticate(authorization: string | undefined): ApiKey {
    if (authorization === undefined || authorization === '') throw missingKey();
    const secret = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    if (secret === undefined || !keyPattern.test(secret)) throw invalidKey();
    const hash = hashOf(secret);
    const found = this.#store.keys.findByHash(hash);
    if (!found || !timingSafeEqual(found.hash, hash)) throw invalidKey();
    const { key } = found;
    const now = this.#now();
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) throw invalidKey();
    // Kept to the minute, so that a busy key is not a write a request.
    if (key.lastUsedAt === null || now - key.lastUsedAt > lastUseResolutionMs)
      this.#store.keys.touch(key.id, now);
    return key;
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let i = 0; i < secretLength; i++) {
    text = alphabet.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}

const challenge = { 'www-authenticate': 'Bearer' };

function missingKey(): ApiError {
  return new ApiError(
    'missing_api_key',
    'No API key was sent. Send it as the header "Authorization: Bearer <API_KEY>".',
    {
      headers: challenge,
    },
  );
}

function invalidKey(): ApiError {
  return new ApiError(
    'invalid_api_key',
    'The API key is not valid: it is unknown, revoked or expired. Check that it was copied whole, or make a new one.',
    { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  );
}
