const NATURAL: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

export interface KeyName {
  tonic: number; // pitch class, 0 = C
  mode: 'major' | 'minor';
}

/** Pitch class 0–11 of a note name such as `F#`, `Gb` or `Cb`. Throws on anything else. */
export function pitchClass(name: string): number {
  const natural = NATURAL[name[0] ?? ''];
  if (natural === undefined || !/^[A-G](#*|b*)$/.test(name)) throw new Error(`not a note name: ${name}`);
  const accidentals = name.length - 1;
  return (((natural + (name[1] === 'b' ? -accidentals : accidentals)) % 12) + 12) % 12;
}

/**
 * The MIREX score of a key: 1 the same; 0.5 a perfect fifth above it in the same mode; 0.3 its relative; 0.2 its
 * parallel; else 0. (MIREX counts the fifth in one direction only: answering G for C scores, F for C does not.)
 */
export function keyScore(reference: KeyName, estimate: KeyName | null): number {
  if (estimate === null) return 0;
  const interval = (estimate.tonic - reference.tonic + 12) % 12;
  if (estimate.mode === reference.mode) return interval === 0 ? 1 : interval === 7 ? 0.5 : 0;
  if (interval === 0) return 0.2;
  return interval === (reference.mode === 'major' ? 9 : 3) ? 0.3 : 0;
}
