import { matchTimes } from './matching.js';
import { type Score, scoreOf } from './score.js';

/** Tolerances of the field (and of MIREX) in seconds, either side. */
export const BEAT_TOLERANCE_S = 0.07;
export const ONSET_TOLERANCE_S = 0.05;

/** F-measure of point events (beats, downbeats, onsets, boundaries): each may be hit once, inside the tolerance. */
export function eventScore(
  references: readonly number[],
  estimates: readonly number[],
  toleranceS: number,
): Score {
  return scoreOf(matchTimes(references, estimates, toleranceS), references.length, estimates.length);
}

/** Drops the events before `startS`: beat trackers are granted 5 s to settle (Davies, Degara and Plumbley 2009). */
export function trimEvents(times: readonly number[], startS: number): number[] {
  return times.filter((time) => time >= startS);
}
