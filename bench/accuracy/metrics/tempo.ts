import { median } from './score.js';

/** Gouyon et al. 2006: right within ±4 % of the annotated tempo (`acc1`), or of it times 2, 3, 1/2 or 1/3 (`acc2`). */
export function tempoAccuracy(
  referenceBpm: number,
  estimateBpm: number | null,
): { acc1: number; acc2: number } {
  const near = (factor: number): boolean =>
    estimateBpm !== null && Math.abs(estimateBpm - referenceBpm * factor) <= 0.04 * referenceBpm * factor;
  return { acc1: near(1) ? 1 : 0, acc2: [1, 2, 3, 1 / 2, 1 / 3].some(near) ? 1 : 0 };
}

/** The tempo of annotated beats: 60 over their median interval; `null` for fewer than two beats. */
export function tempoOfBeats(beatsS: readonly number[]): number | null {
  if (beatsS.length < 2) return null;
  return 60 / median(beatsS.slice(1).map((beat, i) => beat - beatsS[i]!));
}
