import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** version-traceid-parentid-flags, https://www.w3.org/TR/trace-context/#traceparent-header */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

// Drawn from the system in one go for many: a call each would be a good part of a short request.
let pool = Buffer.alloc(0);

function randomId(): string {
  if (pool.length < 16) pool = randomBytes(4096);
  const id = pool.subarray(0, 16).toString('hex');
  pool = pool.subarray(16);
  return id;
}

/** The caller's trace id where it sent a valid one, else a random one: 32 hex digits. */
export function traceIdOf(headers: IncomingHttpHeaders): string {
  const sent = headers.traceparent;
  const match = typeof sent === 'string' ? traceparent.exec(sent) : null;
  return match?.[1] ?? randomId();
}
