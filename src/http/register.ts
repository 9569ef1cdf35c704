import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, CanceledError } from '../errors.js';
import type { WrittenFile } from '../jobs/storage.js';
import type { Caller, Endpoint, EndpointAnswer, EndpointInput, RequestContext } from './endpoint.js';
import { admit } from './admission.js';
import { syncMeta, testCreditsRemaining } from './meta.js';
import { type Payload, receivePayload } from './payload.js';
import type { Services } from './services.js';
import { stageUpload } from './stage-upload.js';
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
    /** Answered, or its client has gone. */
    isOver: boolean;
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
      const isTest = request.caller?.key.mode === 'test';
      if (endpoint.enter && !isTest) hold(reply, await endpoint.enter(context));
      const input = await readInput(request, reply);
      const answer =
        isTest && endpoint.mock
          ? await mocked(endpoint, input, context)
          : await endpoint.handle(input, context);
      if ('handled' in answer) return reply;
      return send(services, endpoint, request, reply, answer, isTest);
    },
  });
}

async function mocked(
  endpoint: Endpoint,
  input: EndpointInput,
  context: RequestContext,
): Promise<EndpointAnswer> {
  const result = await endpoint.mock?.(input, context);
  return result ? { result } : { handled: true };
}

function inputReader(
  services: Services,
  endpoint: Endpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<EndpointInput> {
  const { config, uploadMemory, staging } = services;
  const { params, query, body } = endpoint;
  const checkParams = params && validator(params, 'path');
  const checkQuery = query && validator(query, 'query');
  const checkBody = body && validator(body.kind === 'json' ? body.schema : body.options, 'body');
  const limits = {
    maxBytes: config.maxUploadMib * 2 ** 20,
    minBytesPerS: config.uploadMinBytesPerS,
    graceS: config.uploadGraceS,
  };
  return async (request, reply) => {
    const input: EndpointInput = {
      params: (checkParams?.(request.params) ?? {}) as Record<string, string>,
      // Options of an upload may come in the query or in the body, and are checked together below.
      query: body?.kind === 'audio' ? {} : (checkQuery?.(request.query) ?? {}),
      body: undefined,
      options: {},
      payload: undefined,
      upload: undefined,
      assetId: undefined,
    };
    if (body?.kind === 'json') input.body = checkBody?.(request.body ?? {});
    if (body?.kind === 'audio') {
      // Checked before the body too, so that a typo does not cost an upload.
      checkBody?.(request.query);
      const isStaged = body.staged === true && request.caller?.key.mode === 'live';
      const { audio, fields } = isStaged
        ? await readUploadBody(request.raw, limits, (stream, own) => stageUpload(stream, own, staging))
        : await readUploadBody(request.raw, limits, (stream, own) =>
            receivePayload(stream, own, uploadMemory),
          );
      if (audio) hold(reply, audio.release);
      const { asset_id: assetId, ...options } = fields;
      input.options = checkBody?.({ ...(request.query as object), ...options }) ?? {};
      const got = audio ?? (await openAsset(services, reply, assetId, isStaged));
      if (!audio) input.assetId = assetId as string;
      if (got && 'chunks' in got) input.payload = got;
      else input.upload = got;
    }
    return input;
  };
}

/** The audio of an asset, like an upload: into memory within its limit, or staged. Nothing for test keys. */
async function openAsset(
  { assets, staging, uploadMemory }: Services,
  reply: FastifyReply,
  assetId: unknown,
  isStaged: boolean,
): Promise<Payload | WrittenFile | undefined> {
  if (typeof assetId !== 'string') {
    throw new ApiError(
      'missing_parameter',
      'The body names no "asset_id": expected one such as "asset_01J…".',
      {
        param: 'asset_id',
      },
    );
  }
  const { caller } = reply.request;
  if (!caller || caller.key.mode === 'test') return undefined;
  const asset = assets.get(caller.account.id, assetId);
  const unlimited = { maxBytes: asset.bytes, minBytesPerS: 0, graceS: 1 };
  const audio = isStaged
    ? await assets.linkTo(staging, asset)
    : await receivePayload(assets.open(asset), unlimited, uploadMemory);
  hold(reply, audio.release);
  return audio;
}

/** Something taken for a request is given back when that is over; at once when it is over already. */
function hold(reply: FastifyReply, release: () => void): void {
  if (reply.request.isOver) {
    release();
    throw new CanceledError();
  }
  reply.request.releases.push(release);
}

function contextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  let controller: AbortController | undefined;
  return {
    traceId: request.id,
    log: request.log,
    // Made when it is asked for: lookups are over before anybody could go away.
    get signal() {
      if (controller) return controller.signal;
      const made = (controller = new AbortController());
      if (reply.raw.destroyed) made.abort();
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) made.abort();
      });
      return made.signal;
    },
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
  const creditsReserved = endpoint.meta === 'job' ? (answer.creditsReserved ?? 0) : undefined;
  if (answer.cache) request.outcome.cache = answer.cache;
  request.outcome.creditsUsed = creditsUsed;
  reply.status(answer.status ?? endpoint.success.status);
  if (answer.headers) reply.headers(answer.headers);
  if (endpoint.success.status === 204) return reply.send();
  reply.type('application/json; charset=utf-8');
  const json = 'json' in answer ? answer.json : JSON.stringify(answer.result);
  const isBare = endpoint.isBare?.(request.query as Record<string, unknown>) === true;
  if (endpoint.meta === 'none' || isBare) return reply.send(json);
  if (!request.caller) throw new ApiError('internal_error', 'A public endpoint cannot carry credits.');
  const { account } = request.caller;
  // Read again only where this request, or another that it waited for, may have changed it.
  const stale = endpoint.rateClass === 'upload' || creditsUsed > 0;
  const balance = () => (stale ? services.credits.balance(account.id) : account.balance);
  const creditsRemaining = isTest ? testCreditsRemaining : balance();
  const meta = JSON.stringify(
    syncMeta({
      cache,
      creditsUsed,
      creditsReserved,
      creditsRemaining,
      latencyMs: reply.elapsedTime,
      traceId: request.id,
    }),
  );
  const separator = json === '{}' ? '' : ',';
  return reply.send(`${json.slice(0, -1)}${separator}"_meta":${meta}}`);
}
