import { median } from './score.js';

/**
 * Signal-to-distortion ratio in dB of whole signals (channels one after the other or interleaved alike):
 * 10 log10(Σ s² / Σ (s − ŝ)²). Infinite for a perfect estimate, NaN for a silent reference.
 */
export function sdr(reference: Float32Array, estimate: Float32Array): number {
  if (reference.length !== estimate.length) {
    throw new Error(`reference and estimate differ in length: ${reference.length} and ${estimate.length}`);
  }
  let signal = 0;
  let distortion = 0;
  for (let i = 0; i < reference.length; i++) {
    signal += reference[i]! ** 2;
    distortion += (reference[i]! - estimate[i]!) ** 2;
  }
  return signal === 0 ? NaN : 10 * Math.log10(signal / distortion);
}

/**
 * SDR of BSS Eval v4, as used on MUSDB18 (Stöter, Liutkus and Ito 2018): the median over frames of one second
 * (`frameLength` samples, all channels interleaved) in which neither side is silent. NaN where there is no such frame.
 */
export function framewiseSdr(reference: Float32Array, estimate: Float32Array, frameLength: number): number {
  const values: number[] = [];
  for (let start = 0; start + frameLength <= reference.length; start += frameLength) {
    const r = reference.subarray(start, start + frameLength);
    const e = estimate.subarray(start, start + frameLength);
    if (r.some((value) => value !== 0) && e.some((value) => value !== 0)) values.push(sdr(r, e));
  }
  return median(values);
}
