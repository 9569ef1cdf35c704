import type { FastifyInstance, FastifyRequest } from 'fastify';
import { deprecationHeaders, deprecations } from './deprecations.js';
import type { Services } from './services.js';

/** How long what is left of a refused body is read and dropped, for the sender to get to read the answer. */
const drainMs = 5000;

/**
 * What happens around every request, known address or not: trace id header, one log line, metrics, usage, and the end
 * of what it held. The log never has a body, an authorization header, a query or a file name.
 */
export function observe(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    request.outcome = { cache: null, creditsUsed: 0 };
    request.releases = [];
    request.isOver = false;
    reply.header('x-trace-id', request.id);
    const deprecation = deprecations[request.routeOptions.config.endpoint?.operationId ?? ''];
    if (deprecation) reply.headers(deprecationHeaders(deprecation));
    // Also when the client goes away, where no answer is ever sent.
    reply.raw.once('close', () => {
      request.isOver = true;
      for (const release of request.releases.splice(0)) release();
      if (!request.raw.complete) dropRestOfBody(request);
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, caller, outcome, routeOptions } = request;
    const route = routeOptions.config.endpoint?.path ?? 'unknown';
    const { statusCode } = reply;
    services.metrics.requests.observe({ route, method, status: statusCode }, reply.elapsedTime / 1000);
    if (outcome.cache) services.metrics.cache.inc({ result: outcome.cache });
    services.metrics.credits.inc(outcome.creditsUsed);
    if (caller?.key.mode === 'live') {
      const hit = outcome.cache === 'hit';
      services.usage.count(caller.account.id, `${method} ${route}`, {
        cacheHit: hit,
        error: statusCode >= 400,
      });
    }
    request.log.info(
      {
        route,
        method,
        status: statusCode,
        ms: Math.round(reply.elapsedTime),
        credits: outcome.creditsUsed,
        account: caller?.account.id,
      },
      'request',
    );
  });
}

function dropRestOfBody({ raw }: FastifyRequest): void {
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), drainMs).unref();
  raw.once('close', () => clearTimeout(timer));
}
