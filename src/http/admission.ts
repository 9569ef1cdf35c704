import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateState } from '../accounts/rate-limit.js';
import { ApiError } from '../errors.js';
import type { Endpoint } from './endpoint.js';
import type { Services } from './services.js';

const testRequestsPerMinute = 10;

/**
 * Decides, before a byte of the body is read, whether a request may go on: key, scope, mode of the service, rate,
 * concurrency. Sets `request.caller`. Throws ApiError.
 */
export function admit(
  services: Services,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { config, store, keys } = services;
  if (endpoint.access !== 'public') {
    const key = keys.authenticate(request.headers.authorization);
    const account = store.accounts.get(key.accountId);
    if (!account) throw new Error(`key ${key.id} has no account`);
    request.caller = { key, account };
    limitRate(services, endpoint, request, reply);
    if (key.scopes !== null && !key.scopes.includes(endpoint.access)) {
      throw new ApiError(
        'insufficient_scope',
        `This endpoint needs the scope "${endpoint.access}" and the API key has ${key.scopes.join(', ') || 'none'}. Use a key with that scope.`,
        {
          details: { required: endpoint.access, scopes: key.scopes },
        },
      );
    }
  }
  if (config.readOnly && endpoint.writes) {
    throw new ApiError(
      'read_only',
      'The service is read-only: lookups, job polling and downloads work, everything else is switched off.',
    );
  }
  limitConcurrency(services, endpoint, request);
}

function limitRate(
  { config, rates }: Services,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { caller } = request;
  if (!caller || endpoint.rateClass === 'unlimited') return;
  const { key, account } = caller;
  const [policy, id, limit] =
    key.mode === 'test'
      ? (['test-key', `key:${key.id}`, testRequestsPerMinute] as const)
      : ([
          'account',
          `account:${account.id}`,
          account.requestsPerMinute ?? config.requestsPerMinute,
        ] as const);
  const state = rates.hit(id, limit);
  // draft-ietf-httpapi-ratelimit-headers: policy q=quota w=window, state r=remaining t=seconds to reset
  reply.header('ratelimit-policy', `"${policy}";q=${limit};w=60`);
  reply.header('ratelimit', `"${policy}";r=${state.remaining};t=${state.resetS}`);
  if (!state.allowed) throw tooMany(key.mode, state);
}

function tooMany(mode: string, { limit, resetS }: RateState): ApiError {
  const whose = mode === 'test' ? 'a test key' : 'this account';
  return new ApiError(
    'rate_limit_exceeded',
    `More than ${limit} requests a minute, the limit of ${whose}. Wait ${resetS} s and send the request again.`,
    {
      headers: { 'retry-after': String(resetS) },
      details: { limit, window_s: 60 },
    },
  );
}

function limitConcurrency(
  { config, concurrency }: Services,
  endpoint: Endpoint,
  request: FastifyRequest,
): void {
  const { caller } = request;
  if (!caller || endpoint.rateClass !== 'upload') return;
  const limit = caller.account.concurrency ?? config.concurrency;
  const leave = concurrency.enter(caller.account.id, limit);
  if (!leave) {
    throw new ApiError(
      'concurrency_exceeded',
      `${limit} uploads of this account are running already, as many as it may have at the same time. Wait for one to end.`,
      {
        headers: { 'retry-after': '1' },
        details: { limit },
      },
    );
  }
  request.releases.push(leave);
}
