import t from 'tap';
import { boundaries, fitTo, type Interval } from '../../../bench/accuracy/metrics/intervals.js';
import { boundaryScore, pairwiseScore } from '../../../bench/accuracy/metrics/structure.js';

/** Sections that meet at the given times. */
const sections = (times: number[], labels: string): Interval[] =>
  [...labels].map((label, i) => ({ start: times[i]!, end: times[i + 1]!, label }));

t.test('an estimate is cropped and filled to the span of the reference', async (t) => {
  t.same(fitTo([{ start: 1, end: 9, label: 'a' }], 0, 8, 'before', 'after'), [
    { start: 0, end: 1, label: 'before' },
    { start: 1, end: 8, label: 'a' },
  ]);
  t.same(fitTo([], 0, 8, 'before', 'after'), [{ start: 0, end: 8, label: 'before' }]);
  t.same(boundaries(sections([0, 2, 5], 'ab')), [0, 2, 5]);
});

t.test('the boundary score counts each boundary once inside the window', async (t) => {
  const reference = sections([0, 10, 20, 30], 'aba');
  const estimate = sections([0, 10.4, 22, 30], 'aba');
  t.equal(boundaryScore(reference, estimate, 0.5, false).f, 3 / 4);
  t.equal(boundaryScore(reference, estimate, 3, false).f, 1);
});

t.test('trimmed, the ends of the piece earn nothing', async (t) => {
  const reference = sections([0, 10, 20, 30], 'aba');
  const estimate = sections([0, 10.4, 22, 30], 'aba');
  t.equal(boundaryScore(reference, estimate, 0.5, true).f, 1 / 2);
  t.equal(boundaryScore(reference, sections([0, 30], 'a'), 0.5, true).f, 0);
});

t.test('pairwise agreement ignores what labels are called', async (t) => {
  const score = pairwiseScore(sections([0, 1, 2, 3], 'aba'), sections([0, 1, 2, 3], 'xyx'));
  t.match(score, { precision: 1, recall: 1, f: 1 });
});

t.test('one label for everything has full recall and the precision of chance', async (t) => {
  // Two sections of 10 frames: 2·45 pairs agree in the reference, C(20, 2) = 190 in the estimate.
  const score = pairwiseScore(sections([0, 1, 2], 'ab'), sections([0, 2], 'a'));
  t.equal(score.recall, 1);
  t.equal(score.precision, 90 / 190);
});
