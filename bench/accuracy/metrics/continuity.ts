/**
 * Continuity of beats: Hainsworth 2004; Klapuri, Eronen and Astola 2006; Davies, Degara and Plumbley 2009.
 *
 * An estimated beat is right when it lies within 17.5 % of the local annotated interval from an annotation that no
 * earlier beat has taken, and the interval that leads to it differs by less than 17.5 % from the annotated one.
 * `c` is the longest unbroken run of right beats, `t` all of them, over the number of annotations or of estimates,
 * whichever is larger; `cml` at the annotated metrical level, `aml` the best over the allowed levels.
 */
export interface Continuity {
  cmlC: number;
  cmlT: number;
  amlC: number;
  amlT: number;
}

const TOLERANCE = 0.175;

export function continuity(references: readonly number[], estimates: readonly number[]): Continuity {
  if (references.length < 2 || estimates.length < 2) return { cmlC: 0, cmlT: 0, amlC: 0, amlT: 0 };
  const levels = metricalLevels(references).map((level) => runs(level, estimates));
  return {
    cmlC: levels[0]!.longest,
    cmlT: levels[0]!.total,
    amlC: Math.max(...levels.map((level) => level.longest)),
    amlT: Math.max(...levels.map((level) => level.total)),
  };
}

/** As annotated; off-beat; twice as fast; half as fast from the first beat and from the second. */
export function metricalLevels(beats: readonly number[]): number[][] {
  const offBeat = beats.slice(1).map((beat, i) => (beats[i]! + beat) / 2);
  const double = beats.flatMap((beat, i) => (i < offBeat.length ? [beat, offBeat[i]!] : [beat]));
  return [
    [...beats],
    offBeat,
    double,
    beats.filter((_, i) => i % 2 === 0),
    beats.filter((_, i) => i % 2 === 1),
  ];
}

function runs(
  references: readonly number[],
  estimates: readonly number[],
): { longest: number; total: number } {
  const taken = new Set<number>();
  let total = 0;
  let run = 0;
  let longest = 0;
  for (let i = 0; i < estimates.length; i++) {
    const nearest = nearestIndex(references, estimates[i]!);
    const right = !taken.has(nearest) && isRight(references, nearest, estimates, i);
    if (right) taken.add(nearest);
    run = right ? run + 1 : 0;
    total += right ? 1 : 0;
    longest = Math.max(longest, run);
  }
  const length = Math.max(references.length, estimates.length);
  return { longest: longest / length, total: total / length };
}

/** Where either has no beat before it, the interval after it is used for both. */
function isRight(references: readonly number[], r: number, estimates: readonly number[], e: number): boolean {
  const step = r === 0 || e === 0 ? 1 : -1;
  const referenceS = intervalFrom(references, r, step);
  const estimateS = intervalFrom(estimates, e, step);
  if (!(referenceS > 0)) return false;
  const phase = Math.abs(estimates[e]! - references[r]!) / referenceS;
  const period = Math.abs(1 - estimateS / referenceS);
  return phase < TOLERANCE && period < TOLERANCE;
}

/** Length of the interval at `index` in the direction of `step`, or of the one behind it at the end of the list. */
function intervalFrom(times: readonly number[], index: number, step: 1 | -1): number {
  const neighbour = times[index + step] ?? times[index - step];
  return neighbour === undefined ? NaN : Math.abs(neighbour - times[index]!);
}

function nearestIndex(times: readonly number[], time: number): number {
  let nearest = 0;
  for (let i = 1; i < times.length; i++) {
    if (Math.abs(times[i]! - time) < Math.abs(times[nearest]! - time)) nearest = i;
  }
  return nearest;
}
