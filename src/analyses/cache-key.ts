import { createHash } from 'node:crypto';
import type { AnalysisDefinition } from './definition.js';

/** What a result depends on: the bytes, the analysis with its version, and the options. */
export function cacheKey(analysis: AnalysisDefinition, options: object, sha256: Buffer): Buffer {
  return digest([analysis.name, analysis.version, canonical(options)], sha256);
}

/** What an account pays for once: as the cache key, but for whatever version. */
export function purchaseKey(analysis: AnalysisDefinition, options: object, sha256: Buffer): Buffer {
  return digest([analysis.name, canonical(options)], sha256);
}

function digest(parts: unknown[], sha256: Buffer): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).update(sha256).digest();
}

/** Pairs in the order of their names, so that the order in which options were sent makes no difference. */
function canonical(options: object): [string, unknown][] {
  return Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
}
