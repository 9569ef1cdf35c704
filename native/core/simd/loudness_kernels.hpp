#pragma once

#include <cstddef>

// The inner loops of the loudness meter (core/loudness). Included by the kernel files: no functions here
// (README.md).
namespace tonearm::simd {

// Segments filtered at once, one a lane.
inline constexpr std::size_t kSegments = 8;
// Samples over which the true-peak meter decides at once whether they can hold a new peak.
inline constexpr std::size_t kPeakChunk = 64;
// Taps of each interpolating phase: output n of a phase is made of x[n − 23] … x[n].
inline constexpr std::size_t kPeakTaps = 24;

// The two second-order sections of ITU-R BS.1770-5's K-weighting, in transposed direct form II: a high shelf
// (b, a) that stands for the head, then the high-pass "RLB" curve with numerator 1 − 2z⁻¹ + z⁻² and
// denominator 1 + c1 z⁻¹ + c2 z⁻². Double precision: at 192 kHz the high-pass poles lie 10⁻³ from z = 1,
// where the rounding noise of single precision would be amplified by some 60 dB and more.
struct KWeighting {
  double b0, b1, b2, a1, a2;
  double c1, c2;
};

// A four-fold interpolator in the form its mirror symmetry allows. With s_k = x[n − k] + x[n − 23 + k] and
// d_k = x[n − k] − x[n − 23 + k], k < 12: u = Σ even_k s_k and v = Σ odd_k d_k give the quarter points as u ±
// v (the larger magnitude of the two is |u| + |v|), w = Σ middle_k s_k gives the half point.
struct PeakInterpolator {
  float even[kPeakTaps / 2];
  float odd[kPeakTaps / 2];
  float middle[kPeakTaps / 2];
};

struct LoudnessKernels {
  // End states of 8 segments that start from rest: states[4·segment + delay] = Σ_n response[delay][n] ·
  // x[segment][n], with `response` four planes of planeSize doubles (a multiple of 8). Reads planeSize
  // samples of every segment; those past its end meet zeros and need only be finite.
  void (*endStates)(const float* const* segments, const double* response, std::size_t planeSize,
                    double* states);
  // Filters `frames` samples of 8 segments, each from states[8·delay + segment], which moves on;
  // energies[segment] = Σ_n (weighted sample)².
  void (*weightedEnergies)(const float* const* segments, std::size_t frames, const KWeighting& filter,
                           double* states, double* energies);
  // Over 64 samples: `peak` = max |x[n]| and `bend` = max |x[n] − 2x[n − 1] + x[n − 2]|. Reads x[−2] … x[63].
  void (*chunkPeak)(const float* x, float* peak, float* bend);
  // Largest magnitude of the three interpolated phases over 64 outputs. Reads x[−23] … x[63].
  float (*interpolatedPeak)(const float* x, const PeakInterpolator& interpolator);
};

}  // namespace tonearm::simd
