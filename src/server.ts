import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.js';
import type { Config } from './config.js';
import { EngineProcess } from './engine/engine-process.js';
import { Connections } from './http/connections.js';
import { createServices, type Services } from './http/services.js';
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
export async function startServer(config: Config): Promise<RunningServer> {
  const store = Store.open(config.dataDir);
  const engine = new EngineProcess({
    threads: config.threads,
    queue: config.engineQueue,
    timeoutS: config.analysisTimeoutS,
    log: (message) => app?.log.error(message),
  });
  let app: FastifyInstance | undefined;
  try {
    const services = createServices(config, store, engine);
    services.credits.releaseAbandonedRequests();
    app = await buildApp(config, services);
    const isTls = config.tlsCert !== '';
    const connections = new Connections(app.server, isTls);
    await engine.start();
    await app.listen({ host: config.host, port: config.port });
    const running = app;
    const stopHousekeeping = startHousekeeping(services, running.log);
    return {
      app: running,
      address: config.baseUrl || listeningAddress(running, isTls),
      engine,
      services,
      async stop() {
        const timeout = setTimeout(() => connections.closeAll(), config.stopTimeoutS * 1000);
        connections.closeWhenIdle();
        await running.close();
        clearTimeout(timeout);
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

function listeningAddress(app: FastifyInstance, isTls: boolean): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `${isTls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
