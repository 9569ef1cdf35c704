import { maximumMatching } from './matching.js';
import { type Score, scoreOf } from './score.js';

/** `pitch` in MIDI note numbers, fractions allowed (1 = 100 cents). */
export interface Note {
  onsetS: number;
  offsetS: number;
  pitch: number;
}

const ONSET_TOLERANCE_S = 0.05;
const PITCH_TOLERANCE_CENTS = 50;
const OFFSET_TOLERANCE_OF_DURATION = 0.2;
const OFFSET_TOLERANCE_MIN_S = 0.05;

/**
 * Note F-measure (Bay, Ehmann and Downie 2009): onset within ±50 ms, pitch within ±50 cents and, with `offsets`, the
 * offset within 20 % of the reference note's length or ±50 ms, whichever is more. Distances in time are rounded to
 * 0.1 ms first, so that 50 ms stays inside the tolerance whatever its binary form.
 */
export function noteScore(references: readonly Note[], estimates: readonly Note[], offsets: boolean): Score {
  const fits = (reference: Note, estimate: Note): boolean => {
    if (distanceS(reference.onsetS, estimate.onsetS) > ONSET_TOLERANCE_S) return false;
    if (100 * Math.abs(reference.pitch - estimate.pitch) > PITCH_TOLERANCE_CENTS) return false;
    const allowedS = OFFSET_TOLERANCE_OF_DURATION * (reference.offsetS - reference.onsetS);
    return (
      !offsets || distanceS(reference.offsetS, estimate.offsetS) <= Math.max(allowedS, OFFSET_TOLERANCE_MIN_S)
    );
  };
  const candidates = references.map((reference) =>
    estimates.flatMap((estimate, i) => (fits(reference, estimate) ? [i] : [])),
  );
  return scoreOf(maximumMatching(candidates), references.length, estimates.length);
}

function distanceS(a: number, b: number): number {
  return Math.round(Math.abs(a - b) * 1e4) / 1e4;
}
