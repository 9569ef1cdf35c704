/** Precision, recall and their harmonic mean, each 0–1. */
export interface Score {
  precision: number;
  recall: number;
  f: number;
}

/** The score of `matches` pairs out of so many reference and estimated items; all 0 where either side is empty. */
export function scoreOf(matches: number, references: number, estimates: number): Score {
  if (references === 0 || estimates === 0) return { precision: 0, recall: 0, f: 0 };
  return scoreFrom(matches / estimates, matches / references);
}

export function scoreFrom(precision: number, recall: number): Score {
  const sum = precision + recall;
  return { precision, recall, f: sum === 0 ? 0 : (2 * precision * recall) / sum };
}

/** Arithmetic mean; NaN for an empty list, so that a missing set never reads as a score of 0. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Median, the mean of the middle two for an even count; NaN for an empty list. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
