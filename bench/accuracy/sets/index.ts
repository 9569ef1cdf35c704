import type { AccuracySet } from '../set.js';
import { key } from './key.js';
import { loudness } from './loudness.js';
import { rhythm } from './rhythm.js';

/** Every set there is; `npm run bench:accuracy -- all` runs them in this order. */
export const sets: readonly AccuracySet[] = [rhythm, key, loudness];
