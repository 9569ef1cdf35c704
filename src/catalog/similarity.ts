import { distance } from 'fastest-levenshtein';

/** 1 for equal texts, 0 for texts with nothing in common: edits a character of the longer. */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 1 : 1 - distance(a, b) / longer;
}

const numbersIn = (text: string) => (text.match(/\b(?:\d+|[ivx]{1,4})\b/g) ?? []).sort().join(' ');

/** As `similarity`, but "Part 1" and "Part 2" have nothing in common, for all that one character tells them apart. */
export function titleSimilarity(a: string, b: string): number {
  return numbersIn(a) === numbersIn(b) ? similarity(a, b) : 0;
}

/** Of two lists of artists: how alike they are in full, or nearly as much when one is part of the other. */
export function creditSimilarity(a: string[], b: string[]): number {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const whole = similarity(a.join(' and '), b.join(' and '));
  const each = shorter.map((name) => Math.max(...longer.map((other) => similarity(name, other))));
  return Math.max(whole, a.length === b.length ? Math.min(...each) : 0.9 * Math.min(...each));
}
