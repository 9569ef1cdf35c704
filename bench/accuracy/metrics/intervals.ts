export interface Interval {
  start: number; // seconds
  end: number;
  label: string;
}

/**
 * Crops the intervals to [start, end] and fills what they leave open at either side with the labels `before` and
 * `after`, so that an estimate covers the same time as the reference.
 */
export function fitTo(
  intervals: readonly Interval[],
  start: number,
  end: number,
  before: string,
  after: string,
): Interval[] {
  const cropped = intervals
    .map((each) => ({ ...each, start: Math.max(each.start, start), end: Math.min(each.end, end) }))
    .filter((each) => each.end > each.start);
  const first = cropped[0];
  const last = cropped.at(-1);
  if (first === undefined || last === undefined) return [{ start, end, label: before }];
  if (first.start > start) cropped.unshift({ start, end: first.start, label: before });
  if (last.end < end) cropped.push({ start: last.end, end, label: after });
  return cropped;
}

/** Start of each interval and end of the last, ascending, doubles removed (to 10 µs). */
export function boundaries(intervals: readonly Interval[]): number[] {
  const times = intervals
    .flatMap((each) => [each.start, each.end])
    .map((time) => Math.round(time * 1e5) / 1e5);
  return [...new Set(times)].sort((a, b) => a - b);
}

/** The label in force at a time; the later one where two intervals meet, `undefined` outside all. */
export function labelAt(intervals: readonly Interval[], time: number): string | undefined {
  return intervals.findLast((each) => each.start <= time && time <= each.end)?.label;
}
