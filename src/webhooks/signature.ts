import { createHmac, timingSafeEqual } from 'node:crypto';

/** Receivers refuse signatures whose time differs from theirs by more than this (replay protection). */
export const signatureToleranceS = 300;

/**
 * The value of `X-Service-Signature`: `t=<unix seconds>,v1=<hex>`, where v1 is the HMAC-SHA256 of `<t>.<raw body>` keyed
 * with the secret. Several secrets (during a rotation) give several `v1`.
 */
export function sign(secrets: readonly string[], timeS: number, rawBody: string): string {
  return [
    `t=${timeS}`,
    ...secrets.map((secret) => `v1=${digest(secret, timeS, rawBody).toString('hex')}`),
  ].join(',');
}

export type Verdict = 'valid' | 'malformed' | 'mismatch' | 'expired';

/** What a receiver does: `valid` when one of the `v1` values fits and the time is within the tolerance. */
export function verify(header: string, secret: string, rawBody: string, nowS: number): Verdict {
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined]);
  const timeS = Number(parts.find(([name]) => name === 't')?.[1]);
  if (!Number.isInteger(timeS) || !parts.some(([name]) => name === 'v1')) return 'malformed';
  const expected = digest(secret, timeS, rawBody);
  const fits = parts.some(([name, value]) => {
    if (name !== 'v1' || value === undefined) return false;
    const given = Buffer.from(value, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!fits) return 'mismatch';
  return Math.abs(nowS - timeS) > signatureToleranceS ? 'expired' : 'valid';
}

function digest(secret: string, timeS: number, rawBody: string): Buffer {
  return createHmac('sha256', secret).update(`${timeS}.${rawBody}`).digest();
}
