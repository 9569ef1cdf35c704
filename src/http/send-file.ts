import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export interface ServedFile {
  name: string;
  contentType: string;
  byteLength: number;
  /** A strong one: the same tag, the same bytes. */
  etag: string;
  read(range?: { start: number; end: number }): Readable;
}

/** Sends a file for download: whole, one range of it, or not at all when the client has it (RFC 9110, 13 and 14). */
export function sendFile(reply: FastifyReply, file: ServedFile): void {
  const { headers } = reply.request;
  void reply.headers({
    etag: file.etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-transform',
    'content-disposition': contentDisposition(file.name),
    'x-content-type-options': 'nosniff',
  });
  if (matches(headers['if-none-match'], file.etag)) {
    void reply.status(304).send();
    return;
  }
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || ifRange === file.etag;
  const range = isSame ? parseRange(headers.range, file.byteLength) : undefined;
  if (range === 'unsatisfiable') {
    void reply.status(416).header('content-range', `bytes */${file.byteLength}`).send();
    return;
  }
  void reply.type(file.contentType);
  if (range) {
    const { start, end } = range;
    void reply
      .status(206)
      .headers({
        'content-range': `bytes ${start}-${end}/${file.byteLength}`,
        'content-length': end - start + 1,
      })
      .send(file.read(range));
  } else {
    void reply.status(200).header('content-length', file.byteLength).send(file.read());
  }
}

/** One range of bytes; undefined for none, or for what a server may ignore (several ranges, other units). */
export function parseRange(
  header: string | undefined,
  byteLength: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), byteLength);
    return length === 0 ? 'unsatisfiable' : { start: byteLength - length, end: byteLength - 1 };
  }
  const start = Number(first);
  const end = Math.min(last === '' ? Infinity : Number(last), byteLength - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= byteLength ? 'unsatisfiable' : { start, end };
}

function matches(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(etag);
}

/** With the name twice where it is not plain ASCII (RFC 6266). */
function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`;
  return `attachment; filename="${plain}"${encoded}`;
}
