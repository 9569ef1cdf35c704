import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** version-traceid-parentid-flags, https://www.w3.org/TR/trace-context/#traceparent-header */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** The caller's trace id where it sent a valid one, else a random one: 32 hex digits. */
export function traceIdOf(headers: IncomingHttpHeaders): string {
  const sent = headers.traceparent;
  const match = typeof sent === 'string' ? traceparent.exec(sent) : null;
  return match?.[1] ?? randomBytes(16).toString('hex');
}
