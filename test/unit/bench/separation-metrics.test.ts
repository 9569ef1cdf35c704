import t from 'tap';
import { framewiseSdr, sdr } from '../../../bench/accuracy/metrics/separation.js';

const constant = (length: number, value: number): Float32Array => new Float32Array(length).fill(value);
const near = (actual: number, expected: number): boolean => Math.abs(actual - expected) < 1e-4;

t.test('an error of a tenth of the signal is 20 dB, twice the signal is 0 dB', async (t) => {
  t.ok(near(sdr(constant(100, 1), constant(100, 1.1)), 20));
  t.equal(sdr(constant(100, 0.5), constant(100, 1)), 0);
  t.equal(sdr(constant(100, 0.5), constant(100, 0.5)), Infinity);
  t.ok(Number.isNaN(sdr(constant(100, 0), constant(100, 1))));
});

t.test('signals of different length are refused', async (t) => {
  t.throws(() => sdr(constant(2, 1), constant(3, 1)), /differ in length/);
});

t.test('the framewise ratio is the median over frames that sound on both sides', async (t) => {
  // Frames of 20 dB, 0 dB, 6.0206 dB and a silent one; the incomplete fifth is not a frame.
  const reference = Float32Array.from([1, 1, 1, 1, 1, 1, 0, 0, 1]);
  const estimate = Float32Array.from([1.1, 1.1, 2, 2, 1.5, 1.5, 1, 1, 9]);
  t.ok(near(framewiseSdr(reference, estimate, 2), 20 * Math.log10(2)));
  t.ok(Number.isNaN(framewiseSdr(constant(4, 0), constant(4, 1), 2)));
});
