// The one table of everything that can go wrong on the wire. The OpenAPI document, the README's table and the tests are
// checked against it both ways, so a code that is not here cannot be sent and one that is here is described.

export const errorTable = {
  bad_request: { status: 400, title: 'The request could not be understood' },
  missing_parameter: { status: 400, title: 'A required parameter is missing' },
  invalid_parameter: { status: 400, title: 'A parameter has a value that is not allowed' },
  ambiguous_identifier: { status: 400, title: 'The identifier fits several platforms' },
  missing_api_key: { status: 401, title: 'No API key was sent' },
  invalid_api_key: { status: 401, title: 'The API key is not valid' },
  insufficient_credits: { status: 402, title: 'The account has too few credits' },
  insufficient_scope: { status: 403, title: 'The API key lacks the scope of this endpoint' },
  read_only: { status: 403, title: 'The service is read-only' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  track_not_found: { status: 404, title: 'The track is not known' },
  job_not_found: { status: 404, title: 'The job is not known' },
  asset_not_found: { status: 404, title: 'The asset is not known or has expired' },
  idempotency_in_progress: { status: 409, title: 'A request with this idempotency key is still running' },
  job_not_cancelable: { status: 409, title: 'The job has ended already' },
  file_expired: { status: 410, title: 'The file has expired' },
  payload_too_large: { status: 413, title: 'The payload is too large' },
  unsupported_media_type: { status: 415, title: 'The payload is of a type that is not supported' },
  undecodable_audio: { status: 422, title: 'The audio could not be decoded' },
  audio_too_short: { status: 422, title: 'The audio is too short' },
  audio_too_long: { status: 422, title: 'The audio is too long' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  rate_limit_exceeded: { status: 429, title: 'Too many requests' },
  concurrency_exceeded: { status: 429, title: 'Too many requests at the same time' },
  internal_error: { status: 500, title: 'The service failed' },
  service_unavailable: { status: 503, title: 'The service has no capacity left right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as ErrorCode[];

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorTable, code);
}

export interface ApiErrorOptions {
  /** Name of the parameter, header or field that is at fault. */
  param?: string;
  /** Facts a program can act on, e.g. `{cost, balance}`. */
  details?: Record<string, unknown>;
  /** Extra response headers, e.g. `Retry-After`. */
  headers?: Record<string, string>;
  /** For the log only; never sent. */
  cause?: unknown;
}

/**
 * An error meant for the caller. The message says what was wrong, what was expected and what to do; it never holds a
 * path, a query or anything else of the inside.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.param = options.param;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** 503 with the `Retry-After` every such answer needs. */
export function serviceUnavailable(message: string, retryAfterS = 1): ApiError {
  return new ApiError('service_unavailable', message, { headers: { 'retry-after': String(retryAfterS) } });
}

/** Raised inside when a caller has gone away; it is logged as such and never billed or sent. */
export class CanceledError extends Error {
  constructor(message = 'The request was canceled by its caller.') {
    super(message);
    this.name = 'CanceledError';
  }
}
