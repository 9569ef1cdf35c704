import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.js';
import type { Config } from './config.js';
import { EngineProcess } from './engine/engine-process.js';
import { Connections } from './http/connections.js';
import { createServices, type Services } from './http/services.js';
import type { JobOverrides } from './jobs/create.js';
import { Store } from './store/store.js';
import { startHousekeeping } from './housekeeping.js';

export interface RunningServer {
  app: FastifyInstance;
  /** Address of the service, as clients see it. */
  address: string;
  engine: EngineProcess;
  services: Services;
  /** Stops accepting, lets what runs end within the configured time, and closes everything. */
  stop(): Promise<void>;
}

/** Starts the whole service. Rejects, with nothing left running, when a part cannot start. */
export async function startServer(config: Config, overrides?: JobOverrides): Promise<RunningServer> {
  const store = Store.open(config.dataDir);
  const engine = new EngineProcess({
    threads: config.threads,
    queue: config.engineQueue,
    timeoutS: config.analysisTimeoutS,
    log: (message) => app?.log.error(message),
  });
  let app: FastifyInstance | undefined;
  try {
    const services = createServices(config, store, engine, overrides);
    services.credits.releaseAbandonedRequests();
    app = await buildApp(config, services);
    const isTls = config.tlsCert !== '';
    const connections = new Connections(app.server, isTls);
    await engine.start();
    await app.listen({ host: config.host, port: config.port });
    const running = app;
    services.dispatcher.start((level, message, facts) => running.log[level](facts, message));
    services.jobRunner.start((message, facts) => running.log.error(facts, message));
    const stopHousekeeping = startHousekeeping(services, running.log);
    return {
      app: running,
      address: services.address.base,
      engine,
      services,
      async stop() {
        const timeout = setTimeout(() => connections.closeAll(), config.stopTimeoutS * 1000);
        connections.closeWhenIdle();
        await running.close();
        clearTimeout(timeout);
        await services.jobRunner.stop();
        await services.dispatcher.stop();
        await engine.close();
        stopHousekeeping();
        store.close();
      },
    };
  } catch (error) {
    await app?.close();
    await engine.close();
    store.close();
    throw error;
  }
}
