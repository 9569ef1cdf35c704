import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.js';
import type { Caller, Endpoint, EndpointAnswer, EndpointInput, RequestContext } from './endpoint.js';
import { admit } from './admission.js';
import { syncMeta, testCreditsRemaining } from './meta.js';
import { type Payload, receivePayload } from './payload.js';
import type { Services } from './services.js';
import { readUploadBody } from './upload-body.js';
import { validator } from './validate.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is, once the key has been checked. */
    caller: Caller | null;
    /** What it came to, for the log line. */
    outcome: { cache: 'hit' | 'miss' | null; creditsUsed: number };
    /** Ends what was taken for it: its place among the account's concurrent requests, its payload. */
    releases: (() => void)[];
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/** Makes the route of an endpoint: admission, validation, mock or handler, answer. */
export function registerEndpoint(app: FastifyInstance, services: Services, endpoint: Endpoint): void {
  const readInput = inputReader(services, endpoint);
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { endpoint },
    onRequest: async (request, reply) => admit(services, endpoint, request, reply),
    handler: async (request, reply) => {
      const context = contextOf(request, reply);
      const input = await readInput(request);
      const isTest = request.caller?.key.mode === 'test';
      const answer: EndpointAnswer =
        isTest && endpoint.mock
          ? { result: await endpoint.mock(input, context) }
          : await endpoint.handle(input, context);
      if ('handled' in answer) return reply;
      return send(services, endpoint, request, reply, answer, isTest);
    },
  });
}

function inputReader(
  services: Services,
  endpoint: Endpoint,
): (request: FastifyRequest) => Promise<EndpointInput> {
  const { config, uploadMemory } = services;
  const { params, query, body } = endpoint;
  const checkParams = params && validator(params, 'path');
  const checkQuery = query && validator(query, 'query');
  const checkBody = body && validator(body.kind === 'json' ? body.schema : body.options, 'body');
  const limits = {
    maxBytes: config.maxUploadMib * 2 ** 20,
    minBytesPerS: config.uploadMinBytesPerS,
    graceS: config.uploadGraceS,
  };
  return async (request) => {
    const input: EndpointInput = {
      params: (checkParams?.(request.params) ?? {}) as Record<string, string>,
      // Options of an upload may come in the query or in the body, and are checked together below.
      query: body?.kind === 'audio' ? {} : (checkQuery?.(request.query) ?? {}),
      body: undefined,
      options: {},
      payload: undefined,
      assetId: undefined,
    };
    if (body?.kind === 'json') input.body = checkBody?.(request.body ?? {});
    if (body?.kind === 'audio') {
      // Checked before the body too, so that a typo does not cost an upload.
      checkBody?.(request.query);
      const upload = await readUploadBody(request.raw, limits, uploadMemory);
      const { asset_id: assetId, ...fields } = upload.fields;
      if (upload.payload) request.releases.push(upload.payload.release);
      input.options = checkBody?.({ ...(request.query as object), ...fields }) ?? {};
      input.payload = upload.payload ?? (await readAsset(services, request, assetId));
      if (!upload.payload) input.assetId = assetId as string;
    }
    return input;
  };
}

/** The audio of an asset, within the same limit of memory as an upload. */
async function readAsset(
  services: Services,
  request: FastifyRequest,
  assetId: unknown,
): Promise<Payload | undefined> {
  if (typeof assetId !== 'string') {
    throw new ApiError(
      'missing_parameter',
      'The body names no "asset_id": expected one such as "asset_01J…".',
      {
        param: 'asset_id',
      },
    );
  }
  if (!request.caller || request.caller.key.mode === 'test') return undefined;
  const { assets, uploadMemory } = services;
  const asset = assets.get(request.caller.account.id, assetId);
  const unlimited = { maxBytes: asset.bytes, minBytesPerS: 0, graceS: 1 };
  const payload = await receivePayload(assets.open(asset), unlimited, uploadMemory);
  request.releases.push(payload.release);
  return payload;
}

function contextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return {
    traceId: request.id,
    log: request.log,
    signal: controller.signal,
    reply,
    caller() {
      if (!request.caller) throw new Error('a public endpoint has no caller');
      return request.caller;
    },
  };
}

function send(
  services: Services,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Exclude<EndpointAnswer, { handled: true }>,
  isTest: boolean,
): FastifyReply {
  const { cache = 'miss', creditsUsed = 0 } = answer;
  if (answer.cache) request.outcome.cache = answer.cache;
  request.outcome.creditsUsed = creditsUsed;
  reply.status(answer.status ?? endpoint.success.status);
  if (answer.headers) reply.headers(answer.headers);
  if (endpoint.success.status === 204) return reply.send();
  reply.type('application/json; charset=utf-8');
  const json = 'json' in answer ? answer.json : JSON.stringify(answer.result);
  if (endpoint.meta === 'none') return reply.send(json);
  if (!request.caller) throw new ApiError('internal_error', 'A public endpoint cannot carry credits.');
  const creditsRemaining = isTest
    ? testCreditsRemaining
    : services.credits.balance(request.caller.account.id);
  const meta = JSON.stringify(
    syncMeta({ cache, creditsUsed, creditsRemaining, latencyMs: reply.elapsedTime, traceId: request.id }),
  );
  const separator = json === '{}' ? '' : ',';
  return reply.send(`${json.slice(0, -1)}${separator}"_meta":${meta}}`);
}
