import type { Endpoint } from '../endpoint.js';
import type { Services } from '../services.js';
import { analysisEndpoints } from './analyses.js';
import { statusEndpoints } from './status.js';

/** Every endpoint there is. */
export function endpoints(services: Services): Endpoint[] {
  return [...analysisEndpoints(services), ...statusEndpoints(services)];
}
