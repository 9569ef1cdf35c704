import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPrivateAddress, PrivateAddressError, publicLookup } from './address.js';

/** A receiver has this long to answer, from the first packet to the last byte that is read. */
export const answerTimeoutMs = 10_000;
const keptResponseBytes = 64 * 1024;

export interface PostResult {
  /** null when no answer came. */
  statusCode: number | null;
  /** At most 64 KiB. */
  responseBody: string | null;
  /** Why it failed; null on a 2xx. */
  error: string | null;
}

export interface PostOptions {
  allowPrivate: boolean;
  timeoutMs?: number;
}

/**
 * One POST, and what became of it; never throws. Redirects are not followed (a 3xx is an answer like any other that is
 * not 2xx), connections are not reused, and addresses are checked when the connection is made.
 */
export function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  options: PostOptions,
): Promise<PostResult> {
  const { allowPrivate, timeoutMs = answerTimeoutMs } = options;
  return new Promise((resolve) => {
    const noAnswer = (error: string) => resolve({ statusCode: null, responseBody: null, error });
    const { protocol, hostname } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    // A literal address is never looked up, so it is checked here.
    if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) {
      noAnswer(new PrivateAddressError(host).message);
      return;
    }

    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: false,
      ...(allowPrivate ? {} : { lookup: publicLookup }),
    });
    const timer = setTimeout(() => {
      request.destroy(new Error(`no complete answer within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    request.on('error', (error) => {
      clearTimeout(timer);
      noAnswer(error.message);
    });
    request.on('close', () => {
      clearTimeout(timer);
      noAnswer('the receiver closed the connection without an answer');
    });
    request.on('response', (response) => {
      const statusCode = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let kept = 0;
      const finish = () => {
        clearTimeout(timer);
        const error = statusCode >= 200 && statusCode < 300 ? null : `the receiver answered ${statusCode}`;
        resolve({ statusCode, responseBody: Buffer.concat(chunks).toString('utf8'), error });
        response.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, keptResponseBytes - kept));
        kept += chunk.length;
        if (kept >= keptResponseBytes) finish();
      });
      response.on('end', finish);
      response.on('error', (error) => {
        clearTimeout(timer);
        noAnswer(error.message);
      });
    });
    request.end(body);
  });
}
