// `npm run docs` also writes openapi.json, the description as it is served, for changes of the contract to be seen in review.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../config.js';
import { EngineProcess } from '../engine/engine-process.js';
import { openApiDocument } from '../http/openapi.js';
import { endpoints } from '../http/routes/index.js';
import { createServices } from '../http/services.js';
import { Store } from '../store/store.js';

export const openApiPath = fileURLToPath(new URL('../../src/docs/openapi.json', import.meta.url));

/** The document of a service with default settings, as it is kept in the repository. */
export function openApiText(): string {
  const store = Store.open(':memory:');
  try {
    // Never started: endpoints are declared, not called.
    const engine = new EngineProcess({ threads: 1, queue: 0, timeoutS: 1 });
    const document = openApiDocument(endpoints(createServices(loadConfig({}), store, engine)), '/');
    return `${JSON.stringify(document, null, 2)}\n`;
  } finally {
    store.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(openApiPath, openApiText());
