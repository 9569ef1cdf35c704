import { type Chord, parseChord } from './chord-label.js';
import { boundaries, fitTo, type Interval, labelAt } from './intervals.js';

/**
 * The share of time with the right chord, `majmin` of MIREX: reference and estimate agree in root and in their
 * intervals up to the fifth (so a seventh counts as its triad), or both say there is no chord. Time whose reference is
 * neither a major nor a minor triad nor `N` is left out; 0 where nothing is left.
 */
export function majminAccuracy(references: readonly Interval[], estimates: readonly Interval[]): number {
  const start = Math.min(...references.map((each) => each.start));
  const end = Math.max(...references.map((each) => each.end));
  const fitted = fitTo(estimates, start, end, 'N', 'N');
  const cuts = [...new Set([...boundaries(references), ...boundaries(fitted)])].sort((a, b) => a - b);
  let rightS = 0;
  let totalS = 0;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const middle = (cuts[i]! + cuts[i + 1]!) / 2;
    const reference = parseChord(labelAt(references, middle) ?? 'X');
    if (!isMajorMinorOrNone(reference)) continue;
    const lengthS = cuts[i + 1]! - cuts[i]!;
    totalS += lengthS;
    if (sameTriad(reference, parseChord(labelAt(fitted, middle) ?? 'N'))) rightS += lengthS;
  }
  return totalS === 0 ? 0 : rightS / totalS;
}

const upToFifth = (chord: Chord): string =>
  chord.intervals
    .slice(0, 8)
    .map((sounds) => (sounds ? '1' : '0'))
    .join('');
const MAJOR = upToFifth(parseChord('C:maj'));
const MINOR = upToFifth(parseChord('C:min'));

function isMajorMinorOrNone(chord: Chord): boolean {
  if (chord.root === null) return !chord.unknown;
  return [MAJOR, MINOR].includes(upToFifth(chord));
}

function sameTriad(a: Chord, b: Chord): boolean {
  return a.root === b.root && a.unknown === b.unknown && upToFifth(a) === upToFifth(b);
}
