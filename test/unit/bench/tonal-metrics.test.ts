import t from 'tap';
import { parseChord } from '../../../bench/accuracy/metrics/chord-label.js';
import { majminAccuracy } from '../../../bench/accuracy/metrics/chords.js';
import { keyScore, type KeyName, pitchClass } from '../../../bench/accuracy/metrics/key.js';
import { type Note, noteScore } from '../../../bench/accuracy/metrics/notes.js';

const key = (tonic: string, mode: 'major' | 'minor'): KeyName => ({ tonic: pitchClass(tonic), mode });

t.test('note names are read with any number of accidentals', async (t) => {
  t.same(['C', 'B#', 'Cb', 'F##', 'Gb', 'A#'].map(pitchClass), [0, 0, 11, 7, 6, 10]);
  for (const wrong of ['', 'H', 'c', 'C#b']) t.throws(() => pitchClass(wrong));
});

t.test('the key score follows MIREX: same 1, fifth 0.5, relative 0.3, parallel 0.2', async (t) => {
  const scores: [KeyName, KeyName, number][] = [
    [key('C', 'major'), key('C', 'major'), 1],
    [key('C', 'major'), key('G', 'major'), 0.5],
    [key('A', 'minor'), key('E', 'minor'), 0.5],
    [key('C', 'major'), key('A', 'minor'), 0.3],
    [key('A', 'minor'), key('C', 'major'), 0.3],
    [key('C', 'major'), key('C', 'minor'), 0.2],
    [key('C', 'major'), key('E', 'minor'), 0],
    [key('C', 'major'), key('D', 'major'), 0],
  ];
  for (const [reference, estimate, score] of scores) t.equal(keyScore(reference, estimate), score);
  t.equal(keyScore(key('C', 'major'), null), 0);
});

t.test('the fifth counts only upwards', async (t) => {
  t.equal(keyScore(key('C', 'major'), key('F', 'major')), 0);
});

/** The semitones of a chord above its root. */
const sounding = (label: string): number[] =>
  parseChord(label).intervals.flatMap((sounds, interval) => (sounds ? [interval] : []));

t.test('chord labels are read in Harte’s syntax', async (t) => {
  t.same(sounding('C'), [0, 4, 7]);
  t.same(sounding('A:min7'), [0, 3, 7, 10]);
  t.same(sounding('D:(b3,5)'), [0, 3, 7]);
  t.same(sounding('D:maj(*5)'), [0, 4]);
  t.same(sounding('D:maj(2)'), [0, 2, 4, 7]);
  t.same(sounding('D:maj(9)'), [0, 4, 7]); // beyond the octave
  t.same(sounding('G:maj/b7'), [0, 4, 7, 10]);
  t.equal(parseChord('Bb:min').root, 10);
  t.same(sounding('N'), []);
  t.equal(parseChord('N').root, null);
  for (const wrong of ['H:maj', 'C:major', 'C:maj(x)', 'maj', 'C/', ''])
    t.throws(() => parseChord(wrong), wrong);
});

t.test('majmin counts seconds of the right triad, over the seconds that have one', async (t) => {
  const reference = [
    { start: 0, end: 4, label: 'C:maj' },
    { start: 4, end: 6, label: 'A:min7' },
    { start: 6, end: 7, label: 'G:sus4' }, // neither major nor minor: left out
    { start: 7, end: 8, label: 'N' },
  ];
  const estimate = [
    { start: 0, end: 3, label: 'C:maj7' }, // 3 s right: its triad is C major
    { start: 3, end: 5, label: 'A:min' }, // 1 s wrong, 1 s right
    { start: 5, end: 7, label: 'A:maj' }, // 1 s wrong, 1 s that does not count
  ]; // and nothing after 7 s, which is N: 1 s right
  t.equal(majminAccuracy(reference, estimate), 5 / 7);
  t.equal(majminAccuracy(reference, reference), 1);
  t.equal(majminAccuracy([{ start: 0, end: 1, label: 'C:dim' }], reference), 0);
});

t.test('enharmonic spellings are the same chord', async (t) => {
  t.equal(
    majminAccuracy([{ start: 0, end: 1, label: 'C#:min' }], [{ start: 0, end: 1, label: 'Db:min' }]),
    1,
  );
});

const note = (onsetS: number, offsetS: number, pitch: number): Note => ({ onsetS, offsetS, pitch });

t.test('a note is right by onset and pitch, and by its offset where asked', async (t) => {
  const reference = [note(1, 2, 60)];
  const score = (estimate: Note, offsets = false): number => noteScore(reference, [estimate], offsets).f;
  t.equal(score(note(1.05, 5, 60.5)), 1); // both exactly at their tolerance
  t.equal(score(note(1.051, 2, 60)), 0);
  t.equal(score(note(1, 2, 60.51)), 0);
  t.equal(score(note(1, 2.2, 60), true), 1); // 20 % of 1 s
  t.equal(score(note(1, 2.21, 60), true), 0);
});

t.test('the offset tolerance of a short note is 50 ms', async (t) => {
  t.equal(noteScore([note(0, 0.1, 60)], [note(0, 0.15, 60)], true).f, 1);
  t.equal(noteScore([note(0, 0.1, 60)], [note(0, 0.16, 60)], true).f, 0);
});

t.test('notes are matched so that as many as possible have a partner', async (t) => {
  // The first estimate fits both references, the second only the first one.
  const references = [note(1, 2, 60), note(1.04, 2, 60.4)];
  const estimates = [note(1.02, 2, 60.2), note(0.98, 2, 59.8)];
  t.equal(noteScore(references, estimates, false).f, 1);
});
