import { beatgrid } from './beatgrid.js';
import { bpm } from './bpm.js';
import type { AnalysisDefinition } from './definition.js';
import { key } from './key.js';
import { keyBpm } from './key-bpm.js';
import { lufs } from './lufs.js';

/** Every analysis there is. A new one is added here and nowhere else in TypeScript. */
export const analyses = [bpm, key, keyBpm, lufs, beatgrid] as unknown as readonly AnalysisDefinition[];
