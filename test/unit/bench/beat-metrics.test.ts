import t from 'tap';
import { continuity, metricalLevels } from '../../../bench/accuracy/metrics/continuity.js';
import { BEAT_TOLERANCE_S, eventScore, trimEvents } from '../../../bench/accuracy/metrics/events.js';
import { matchTimes, maximumMatching } from '../../../bench/accuracy/metrics/matching.js';
import { tempoAccuracy, tempoOfBeats } from '../../../bench/accuracy/metrics/tempo.js';

/** `count` beats from `startS`, one every `periodS`. */
const grid = (count: number, periodS = 0.5, startS = 0): number[] =>
  Array.from({ length: count }, (_, i) => startS + i * periodS);

t.test('beats inside the tolerance are hits, beats outside are not', async (t) => {
  const beats = grid(8);
  t.match(eventScore(beats, beats, BEAT_TOLERANCE_S), { precision: 1, recall: 1, f: 1 });
  t.equal(
    eventScore(
      beats,
      beats.map((beat) => beat + 0.069),
      BEAT_TOLERANCE_S,
    ).f,
    1,
  );
  t.equal(
    eventScore(
      beats,
      beats.map((beat) => beat + 0.071),
      BEAT_TOLERANCE_S,
    ).f,
    0,
  );
});

t.test('a tracker at double tempo has full recall and half precision', async (t) => {
  // 8 of the 16 estimates hit: P = 1/2, R = 1, F = 2/3.
  const score = eventScore(grid(8), grid(16, 0.25), BEAT_TOLERANCE_S);
  t.match(score, { precision: 0.5, recall: 1 });
  t.ok(Math.abs(score.f - 2 / 3) < 1e-12);
});

t.test('one beat cannot be hit twice, and no hit is wasted', async (t) => {
  t.equal(eventScore([1], [0.98, 1.02], BEAT_TOLERANCE_S).precision, 0.5);
  // Pairing 1.05 with its nearest, 1.04, would leave 1.10 alone: the largest matching pairs both.
  t.equal(matchTimes([1.04, 1.1], [0.99, 1.05], 0.06), 2);
});

t.test('the fast matching of times finds as many pairs as the general one', async (t) => {
  let state = 1;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 200; round++) {
    const list = (): number[] =>
      Array.from({ length: Math.floor(random() * 30) }, random).sort((a, b) => a - b);
    const [left, right] = [list(), list()];
    const graph = left.map((a) => right.flatMap((b, i) => (Math.abs(a - b) <= 0.03 ? [i] : [])));
    t.equal(matchTimes(left, right, 0.03), maximumMatching(graph));
  }
});

t.test('an empty side scores nothing', async (t) => {
  t.match(eventScore([], [1], 0.07), { precision: 0, recall: 0, f: 0 });
  t.match(eventScore([1], [], 0.07), { precision: 0, recall: 0, f: 0 });
  t.match(continuity([1], [1, 2]), { cmlC: 0, cmlT: 0, amlC: 0, amlT: 0 });
});

t.test('trimming keeps a beat at exactly the start time', async (t) => {
  t.same(trimEvents([4.9, 5, 5.1], 5), [5, 5.1]);
});

t.test('the allowed levels of four beats are themselves, off-beat, double and both halves', async (t) => {
  t.same(metricalLevels([0, 1, 2, 3]), [
    [0, 1, 2, 3],
    [0.5, 1.5, 2.5],
    [0, 0.5, 1, 1.5, 2, 2.5, 3],
    [0, 2],
    [1, 3],
  ]);
});

t.test('continuity is whole for right beats and survives an error under 17.5 % of the beat', async (t) => {
  t.match(continuity(grid(10), grid(10)), { cmlC: 1, cmlT: 1, amlC: 1, amlT: 1 });
  t.match(continuity(grid(10), grid(10, 0.5, 0.087)), { cmlC: 1, cmlT: 1 }); // 17.4 %
  t.match(continuity(grid(10), grid(10, 0.5, 0.088)), { cmlC: 0, cmlT: 0 }); // 17.6 %
});

t.test(
  'double, half and off-beat tracking is wrong at the annotated level and right at an allowed one',
  async (t) => {
    const double = continuity(grid(10), grid(19, 0.25));
    t.match(double, { cmlT: 0, amlC: 1, amlT: 1 });
    // Every second beat: 5 of 10 are placed right, but each interval is twice the annotated one.
    t.match(continuity(grid(10), grid(5, 1)), { cmlT: 0, amlT: 1 });
    t.match(continuity(grid(10), grid(5, 1, 0.5)), { cmlT: 0, amlT: 1 });
    t.match(continuity(grid(10), grid(9, 0.5, 0.25)), { cmlT: 0, amlT: 1 });
  },
);

t.test('three against one is right at no level', async (t) => {
  t.match(continuity(grid(12), grid(34, 0.5 / 3)), { cmlT: 0, amlT: 0 });
});

t.test('one displaced beat breaks the run and costs itself and the interval after it', async (t) => {
  // Beat 6 of 12 comes 0.2 s late (40 %): it fails in phase and the next one in period; 6 before and 4 after are right.
  const late = grid(12).map((beat, i) => (i === 6 ? beat + 0.2 : beat));
  const score = continuity(grid(12), late);
  t.equal(score.cmlC, 6 / 12);
  t.equal(score.cmlT, 10 / 12);
});

t.test('surplus beats count against continuity', async (t) => {
  // Ten right beats, then ten more after the last annotation: 10 of 20.
  t.equal(continuity(grid(10), grid(20)).cmlT, 10 / 20);
});

t.test(
  'tempo is right within 4 %, and for the second accuracy also at two, three, a half and a third',
  async (t) => {
    t.same(tempoAccuracy(100, 104), { acc1: 1, acc2: 1 });
    t.same(tempoAccuracy(100, 104.1), { acc1: 0, acc2: 0 });
    for (const bpm of [50, 200, 300, 100 / 3]) t.same(tempoAccuracy(100, bpm), { acc1: 0, acc2: 1 });
    t.same(tempoAccuracy(100, 150), { acc1: 0, acc2: 0 });
    t.same(tempoAccuracy(100, null), { acc1: 0, acc2: 0 });
  },
);

t.test('the tempo of beats is that of their median interval', async (t) => {
  t.equal(tempoOfBeats([0, 0.5, 1, 1.5, 3]), 120);
  t.equal(tempoOfBeats([1]), null);
});
