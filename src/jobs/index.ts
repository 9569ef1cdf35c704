import type { JobKind } from './definition.js';
import { audioFeatures } from './features.js';

/** Every kind of job there is. A new one is added here and nowhere else. */
export const jobKinds = [audioFeatures] as unknown as readonly JobKind[];
