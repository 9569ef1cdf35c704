import type { Endpoint } from '../endpoint.js';
import { openApiDocument } from '../openapi.js';
import type { Services } from '../services.js';
import { accountEndpoints } from './account.js';
import { analysisEndpoints } from './analyses.js';
import { assetEndpoints } from './assets.js';
import { audioFeaturesEndpoints } from './audio-features.js';
import { docsEndpoints } from './docs.js';
import { fileEndpoints } from './files.js';
import { jobEventEndpoints } from './job-events.js';
import { jobEndpoints } from './jobs.js';
import { resolveEndpoints } from './resolve.js';
import { statusEndpoints } from './status.js';
import { trackAnalysisEndpoints } from './track-analyses.js';

/** Every endpoint there is. */
export function endpoints(services: Services): Endpoint[] {
  const all: Endpoint[] = [
    ...audioFeaturesEndpoints(services),
    ...trackAnalysisEndpoints(services),
    ...resolveEndpoints(services),
    ...analysisEndpoints(services),
    ...assetEndpoints(services),
    ...jobEndpoints(services),
    ...jobEventEndpoints(services),
    ...fileEndpoints(services),
    ...accountEndpoints(services),
    ...statusEndpoints(services),
  ];
  // By default the address the document was fetched from.
  all.push(...docsEndpoints(() => openApiDocument(all, services.config.baseUrl || '/')));
  return all;
}
