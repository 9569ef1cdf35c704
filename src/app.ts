import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyServerOptions } from 'fastify';
import { type Config, ConfigError } from './config.js';
import { ApiError } from './errors.js';
import type { Endpoint } from './http/endpoint.js';
import { errorEnvelope } from './http/envelope.js';
import { handleErrors, rawErrorResponse, toApiError } from './http/errors.js';
import { observe } from './http/observe.js';
import { registerEndpoint } from './http/register.js';
import { endpoints } from './http/routes/index.js';
import type { Services } from './http/services.js';
import { traceIdOf } from './http/trace.js';

const maxJsonBodyBytes = 1 << 20;
const maxParamCharacters = 2000;

/** The HTTP shell: every route, nothing started. */
export async function buildApp(config: Config, services: Services): Promise<FastifyInstance> {
  const app = Fastify({ ...serverOptions(config), ...tlsOptions(config) });
  app.decorateRequest('caller', null);
  observe(app, services);
  handleErrors(app, services);
  app.addHook('onListen', (done) => {
    services.address.base ||= listeningAddress(app, config);
    done();
  });
  app.addHook('preClose', (done) => {
    services.jobLifecycle.emit('closing');
    done();
  });
  const all = endpoints(services);
  const takesJson = ({ body }: Endpoint) => body?.kind === 'json';
  await app.register((others, _options, done) => {
    // An upload is streamed by its endpoint, whatever type it claims to be; where no body is asked for, one is ignored.
    others.removeAllContentTypeParsers();
    others.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
    for (const endpoint of all) if (!takesJson(endpoint)) registerEndpoint(others, services, endpoint);
    done();
  });
  app.removeContentTypeParser('text/plain');
  for (const endpoint of all) if (takesJson(endpoint)) registerEndpoint(app, services, endpoint);
  await app.ready();
  return app;
}

/** TLS 1.3 alone, HTTP/2 and HTTP/1.1, where a certificate is configured; plain HTTP where none is. */
function tlsOptions({ tlsCert, tlsKey }: Config): object {
  if (!tlsCert) return {};
  const [cert, key] = [
    ['TLS_CERT', tlsCert],
    ['TLS_KEY', tlsKey],
  ].map(([variable = '', path = '']) => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new ConfigError([`${variable} could not be read: ${(error as Error).message}`]);
    }
  });
  return { http2: true, https: { allowHTTP1: true, minVersion: 'TLSv1.3', cert, key } };
}

function listeningAddress(app: FastifyInstance, config: Config): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `${config.tlsCert ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function serverOptions(config: Config): FastifyServerOptions {
  return {
    logger: { level: config.logLevel, base: null },
    // One line a request is written by observe.ts; Fastify's own would log addresses, which may hold signatures.
    logController: new Fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'trace_id' }),
    genReqId: (request) => traceIdOf(request.headers),
    trustProxy: config.trustProxy,
    bodyLimit: maxJsonBodyBytes,
    // Identifiers in the path may be whole addresses.
    routerOptions: { maxParamLength: maxParamCharacters },
    return503OnClosing: false,
    frameworkErrors: (thrown, request, reply) => {
      // Before routing no hook runs, so the trace id is set here.
      const error = toApiError(thrown);
      const body = errorEnvelope(error, { traceId: request.id, latencyMs: 0, creditsRemaining: null });
      const plain = reply as unknown as FastifyReply;
      void plain.status(error.status).header('x-trace-id', request.id).send(body);
    },
    clientErrorHandler: (thrown: NodeJS.ErrnoException, socket) => {
      if (thrown.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const error = new ApiError(
        'bad_request',
        'These bytes are not a valid HTTP request, or it was cut off.',
      );
      socket.end(rawErrorResponse(error, traceIdOf({})));
    },
  };
}
