#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/simd/loudness_kernels.hpp"

namespace tonearm {

using simd::KWeighting;

// The filter for a sample rate (8000–192000 Hz). The standard lists coefficients for 48 kHz only; these come
// from the bilinear transform of the analogue prototype those coefficients imply, and are the standard's own
// at 48 kHz. The numerator of the high-pass stays 1, −2, 1 at every rate as in other meters, so that readings
// agree with theirs (the constant gain this leaves, against 48 kHz: +0.004 dB at 44.1 kHz, −0.033 dB at 192
// kHz).
KWeighting kWeighting(int sampleRateHz);

// The four delays of the filter: shelf 1, shelf 2, high-pass 1, high-pass 2.
using KWeightingState = std::array<double, 4>;

// One sample through the filter; returns the weighted sample and moves `state` on.
inline double kWeightingStep(const KWeighting& filter, KWeightingState& state, double x) {
  const double shelf = filter.b0 * x + state[0];
  state[0] = filter.b1 * x - filter.a1 * shelf + state[1];
  state[1] = filter.b2 * x - filter.a2 * shelf;
  const double out = shelf + state[2];
  state[2] = -2.0 * shelf - filter.c1 * out + state[3];
  state[3] = shelf - filter.c2 * out;
  return out;
}

// The filter as a linear map over a segment of fixed length: the state behind the segment is
//   transition · (state before it) + Σ_n response[n] · x[n].
// It lets segments that follow one another in time be filtered at once, each from its true initial state,
// although the filter is recursive.
class KWeightingSegment {
 public:
  KWeightingSegment(const KWeighting& filter, std::size_t frames);

  std::size_t frames() const noexcept { return frames_; }
  // response[n], as four planes (one a delay) of `planeSize()` doubles; zeros from frames() on.
  const double* response() const noexcept { return response_.data(); }
  // frames() rounded up to a multiple of 8, so that kernels need no tail.
  std::size_t planeSize() const noexcept { return planeSize_; }
  // transition · state.
  KWeightingState carry(const KWeightingState& state) const;

 private:
  std::size_t frames_;
  std::size_t planeSize_;
  std::vector<double> response_;
  std::array<KWeightingState, 4> transition_;  // column j: where a 1 in delay j alone leads
};

}  // namespace tonearm
