import { createHash } from 'node:crypto';

export interface JobRequest {
  kind: string;
  options: Record<string, unknown>;
  audioSha256: Buffer;
}

/** What makes two submissions the same: kind, options (in any order) and audio. */
export function requestHash({ kind, options, audioSha256 }: JobRequest): Buffer {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([kind, sorted]))
    .update(audioSha256)
    .digest();
}

/** The same, apart from the hashes under which paid analyses are noted. */
export function purchaseHash(request: JobRequest): Buffer {
  return createHash('sha256').update('job').update(requestHash(request)).digest();
}
