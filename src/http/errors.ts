import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, CanceledError, type ErrorCode, serviceUnavailable } from '../errors.js';
import { compatError, errorEnvelope, problemDetails } from './envelope.js';
import { testCreditsRemaining } from './meta.js';
import type { Services } from './services.js';

/** Fastify's own refusals, by what they are to a caller. All else of it with a 4xx status is a `bad_request`. */
const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
};

/** Whatever was thrown, as what the caller is told. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof CanceledError)
    return serviceUnavailable('The request was stopped before it was done. Send it again.');
  const { code, statusCode, message } = thrown as Partial<FastifyError>;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    // Fastify's messages speak of the request alone; those of other origin might not.
    const own = code?.startsWith('FST_') === true;
    return new ApiError(
      fastifyCodes[code ?? ''] ?? 'bad_request',
      own && message ? message : 'The request could not be understood.',
    );
  }
  return new ApiError(
    'internal_error',
    'The service failed unexpectedly. Nothing was billed. Send the request again, and name the trace id to support if it fails again.',
    {
      cause: thrown,
    },
  );
}

/** Every error leaves through here, also those of unknown addresses. */
export function handleErrors(app: FastifyInstance, services: Services): void {
  app.setErrorHandler((thrown: unknown, request, reply) => {
    const error = toApiError(thrown);
    if (error.status >= 500)
      request.log.error({ err: error.cause ?? error, code: error.code }, error.message);
    return sendError(services, error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    const address = `${request.method} ${request.url.split('?')[0]?.slice(0, 200) ?? ''}`;
    const message = `There is nothing at ${address}. The addresses there are stand in /api/openapi.json.`;
    return sendError(services, new ApiError('not_found', message), request, reply);
  });
}

function sendError(
  services: Services,
  error: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.status(error.status).headers(error.headers);
  const meta = {
    traceId: request.id,
    latencyMs: Math.round(reply.elapsedTime),
    creditsRemaining: creditsOf(services, request),
  };
  const { endpoint } = request.routeOptions.config;
  if (endpoint?.isCompat?.(request.query as Record<string, unknown>)) {
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(compatError(error)));
  }
  if (request.headers.accept?.includes('application/problem+json')) {
    return reply
      .type('application/problem+json; charset=utf-8')
      .send(JSON.stringify(problemDetails(error, meta)));
  }
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(errorEnvelope(error, meta)));
}

function creditsOf(services: Services, { caller }: FastifyRequest): number | null {
  if (!caller) return null;
  return caller.key.mode === 'test' ? testCreditsRemaining : services.credits.balance(caller.account.id);
}

/** The answer to bytes that are no HTTP request, written straight to the socket. */
export function rawErrorResponse(error: ApiError, traceId: string): string {
  const body = JSON.stringify(errorEnvelope(error, { traceId, latencyMs: 0, creditsRemaining: null }));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Trace-Id: ${traceId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
