import { pitchClass } from './key.js';

/** A chord as the pitch classes it holds. `root` is null for no chord (`N`) and for an unknown one (`X`). */
export interface Chord {
  root: number | null;
  unknown: boolean;
  intervals: boolean[]; // twelve, semitones above the root
}

/** Semitones above the root of each shorthand of Harte, Sandler, Abdallah and Gómez (2005), inside one octave. */
const SHORTHANDS: Record<string, number[]> = {
  maj: [0, 4, 7],
  min: [0, 3, 7],
  aug: [0, 4, 8],
  dim: [0, 3, 6],
  sus2: [0, 2, 7],
  sus4: [0, 5, 7],
  maj6: [0, 4, 7, 9],
  min6: [0, 3, 7, 9],
  '7': [0, 4, 7, 10],
  maj7: [0, 4, 7, 11],
  min7: [0, 3, 7, 10],
  minmaj7: [0, 3, 7, 11],
  dim7: [0, 3, 6, 9],
  hdim7: [0, 3, 6, 10],
  '9': [0, 4, 7, 10],
  maj9: [0, 4, 7, 11],
  min9: [0, 3, 7, 10],
  '11': [0, 4, 7, 10],
  min11: [0, 3, 7, 10],
  '13': [0, 4, 7, 10],
  maj13: [0, 4, 7, 11],
  min13: [0, 3, 7, 10],
  '1': [0],
  '5': [0, 7],
};

const MAJOR_SCALE = [0, 2, 4, 5, 7, 9, 11];

/**
 * Reads a label in Harte's syntax, `root[:shorthand][(degrees)][/bass]`: `C`, `F#:min7`, `A:(3,5)/3`, `Bb:maj(*5)/b7`.
 * Degrees with a `*` are left out of the chord. Degrees beyond the octave (9, 11, 13) colour a chord without changing
 * its triad and are not kept. The bass sounds, so it belongs to the chord. Throws on anything else.
 */
export function parseChord(label: string): Chord {
  const intervals = new Array<boolean>(12).fill(false);
  if (label === 'N' || label === 'X') return { root: null, unknown: label === 'X', intervals };
  const parts = /^([A-G](?:#*|b*))(?::([a-z0-9]*)(?:\(([^)]*)\))?)?(?:\/([#b]*\d+))?$/.exec(label);
  if (parts === null) throw new Error(`not a chord in Harte's syntax: ${label}`);
  const [, root, shorthand = '', degrees, bass = '1'] = parts;
  const quality = shorthand !== '' ? shorthand : degrees === undefined ? 'maj' : '1';
  const base = SHORTHANDS[quality];
  if (base === undefined) throw new Error(`unknown chord quality in ${label}`);
  for (const interval of base) intervals[interval] = true;
  for (const degree of degrees?.split(',') ?? []) {
    const interval = semitones(degree.replace('*', ''));
    if (interval < 12) intervals[interval] = !degree.startsWith('*');
  }
  intervals[semitones(bass) % 12] = true;
  return { root: pitchClass(root!), unknown: false, intervals };
}

/** Semitones above the root of a scale degree such as `5`, `b7`, `#11`. */
function semitones(degree: string): number {
  const parts = /^([#b]*)(\d+)$/.exec(degree);
  const number = Number(parts?.[2]);
  if (parts === null || number < 1 || number > 13) throw new Error(`not a scale degree: ${degree}`);
  const sharps = parts[1]!.replaceAll('b', '').length;
  const accidentals = 2 * sharps - parts[1]!.length;
  return MAJOR_SCALE[(number - 1) % 7]! + 12 * Math.floor((number - 1) / 7) + accidentals;
}
