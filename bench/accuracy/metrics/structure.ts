import { eventScore } from './events.js';
import { boundaries, fitTo, type Interval, labelAt } from './intervals.js';
import { type Score, scoreFrom } from './score.js';

/**
 * Boundary hit rate within ±`windowS` (0.5 and 3 s are customary; Turnbull et al. 2007). With `trim`, the first and the
 * last boundary, which are the ends of the piece and free for the taking, are left out.
 */
export function boundaryScore(
  references: readonly Interval[],
  estimates: readonly Interval[],
  windowS: number,
  trim: boolean,
): Score {
  const times = (intervals: readonly Interval[]): number[] =>
    trim ? boundaries(intervals).slice(1, -1) : boundaries(intervals);
  const end = Math.max(...references.map((each) => each.end));
  return eventScore(times(spanning(references, end)), times(spanning(estimates, end)), windowS);
}

const FRAMES_PER_S = 10;

/**
 * Pairwise agreement (Levy and Sandler 2008): of all pairs of 100 ms frames that one side puts under one label, how
 * many does the other side, too? What the labels are called does not matter.
 */
export function pairwiseScore(references: readonly Interval[], estimates: readonly Interval[]): Score {
  const end = Math.max(...references.map((each) => each.end));
  const reference = frames(spanning(references, end), end);
  const estimate = frames(spanning(estimates, end), end);
  const both = reference.map((label, i) => JSON.stringify([label, estimate[i]]));
  const agreed = pairs(both);
  return scoreFrom(agreed / pairs(estimate), agreed / pairs(reference));
}

function spanning(intervals: readonly Interval[], end: number): Interval[] {
  return fitTo(intervals, 0, end, 'before the first', 'after the last');
}

function frames(intervals: readonly Interval[], end: number): string[] {
  return Array.from(
    { length: Math.floor(end * FRAMES_PER_S) },
    (_, i) => labelAt(intervals, i / FRAMES_PER_S) ?? '',
  );
}

/** Number of pairs of equal labels. */
function pairs(labels: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}
