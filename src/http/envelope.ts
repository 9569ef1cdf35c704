import { type ApiError, errorTable } from '../errors.js';

export interface ErrorMeta {
  traceId: string;
  latencyMs: number;
  /** null while it is not known whose request it is. */
  creditsRemaining: number | null;
}

/** The error body of api.md. */
export function errorEnvelope(error: ApiError, meta: ErrorMeta) {
  const { code, message, param, details } = error;
  return {
    error: {
      code,
      message,
      ...(param !== undefined && { param }),
      ...(details !== undefined && { details }),
    },
    _meta: {
      trace_id: meta.traceId,
      latency_ms: meta.latencyMs,
      credits_used: 0,
      credits_remaining: meta.creditsRemaining,
    },
  };
}

/** The same as RFC 9457 problem details. */
export function problemDetails(error: ApiError, meta: ErrorMeta) {
  const { code, message, status, param, details } = error;
  return {
    type: `urn:tonearm:error:${code}`,
    title: errorTable[code].title,
    status,
    detail: message,
    code,
    ...(param !== undefined && { param }),
    ...(details !== undefined && { details }),
    trace_id: meta.traceId,
  };
}

/** The shape of the third party's errors, for `format=compat`. */
export function compatError(error: ApiError) {
  return { error: { status: error.status, message: error.message } };
}
