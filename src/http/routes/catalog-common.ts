import type { Asker } from '../../catalog/lookup.js';
import { type Found, trackId } from '../../catalog/find.js';
import { ApiError, type ErrorCode } from '../../errors.js';
import type { Endpoint, RequestContext } from '../endpoint.js';

// What the lookups have in common.

export const lookupCommon = {
  tag: 'Lookup',
  access: 'lookup',
  rateClass: 'standard',
  // The catalogue may learn from a lookup, but one that has nothing to compute is answered in READ_ONLY mode too.
  writes: false,
  meta: 'sync',
} as const satisfies Partial<Endpoint>;

/** Of lookups that may analyse a file on this machine. */
export const lookupErrors: ErrorCode[] = [
  'ambiguous_identifier',
  'track_not_found',
  'insufficient_credits',
  'undecodable_audio',
  'unsupported_media_type',
  'audio_too_short',
  'audio_too_long',
  'read_only',
  'service_unavailable',
];

export function askerOf(context: RequestContext, endpoint: string): Asker {
  const { traceId, signal } = context;
  return { accountId: context.caller().account.id, traceId, signal, endpoint };
}

/** A track that is in the catalogue by name alone. */
export function nothingKnown({ track }: Found, what: string): ApiError {
  return new ApiError(
    'track_not_found',
    `The catalogue knows the track ${trackId(track.id)} but not its ${what}, and has no audio of it. Send the audio itself.`,
    { param: 'id', details: { track_id: trackId(track.id) } },
  );
}
