#pragma once

#include <cstddef>

#include "core/simd/loudness_kernels.hpp"

namespace tonearm {

// The interpolator of the true-peak meter with the bound that lets it skip most of the signal.
//
// Four-fold oversampling at every rate (ITU-R BS.1770-5 annex 2 asks for it below 96 kHz) with a
// Kaiser-windowed sinc of 24 taps a phase, twice the annex's length: flat within 0.04 dB to 0.42 of the
// sample rate and within 0.1 dB to 0.437 (19.3 kHz at 44.1 kHz). Phase 0 is the signal itself. What remains
// is the under-reading of any four-fold meter between its points, at most 0.69 dB at half the sample rate,
// 0.17 dB at a quarter.
struct TruePeakFilter {
  simd::PeakInterpolator interpolator;
  // With p and b the largest |x[n]| and |x[n] − 2 x[n−1] + x[n−2]| of a span, no interpolated value that is
  // made of the span's samples alone exceeds p + bendGain · b: each phase is a linear interpolation (never
  // above p) plus a filter over the second differences whose absolute sum is at most bendGain.
  float bendGain;
};
const TruePeakFilter& truePeakFilter();

// Sample peak and true peak of one channel. The signal is taken to be zero before its start; push zeros
// behind its end.
class PeakMeter {
 public:
  explicit PeakMeter(bool truePeak) : wantTruePeak_(truePeak) {}

  // How many samples in front of `x` push() reads: the ones pushed before, or zeros.
  static constexpr std::size_t kHistory = simd::kPeakTaps;
  // frames ≥ 64. The readings do not depend on how the signal is cut into pushes.
  void push(const float* x, std::size_t frames);

  float samplePeak() const noexcept { return samplePeak_; }
  float truePeak() const noexcept { return truePeak_; }  // ≥ samplePeak(); meaningless unless asked for

 private:
  struct Chunk {
    float peak = 0.0f, bend = 0.0f;
  };
  void look(const float* x, const Chunk& chunk, const Chunk& before);

  bool wantTruePeak_;
  float samplePeak_ = 0.0f, truePeak_ = 0.0f;
  Chunk last_;
};

}  // namespace tonearm
