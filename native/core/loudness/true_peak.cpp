#include "core/loudness/true_peak.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/simd/kernels.hpp"

namespace tonearm {
namespace {

using simd::kPeakChunk, simd::kPeakTaps;

// Weights of x[n], x[n − 1], …, x[n − 23] for the point at x[n − 12] + `fraction` of the way to x[n − 11].
std::array<double, kPeakTaps> phase(double fraction) {
  constexpr double kBeta = 5.0, kHalf = kPeakTaps / 2;
  std::array<double, kPeakTaps> taps;
  double total = 0.0;
  for (std::size_t k = 0; k < kPeakTaps; ++k) {
    const double distance = (kHalf - static_cast<double>(k)) - fraction;
    const double edge = distance / kHalf;
    const double window = std::cyl_bessel_i(0.0, kBeta * std::sqrt(std::max(0.0, 1.0 - edge * edge)));
    taps[k] = std::sin(std::numbers::pi * distance) / (std::numbers::pi * distance) * window;
    total += taps[k];
  }
  for (double& tap : taps) tap /= total;  // a constant passes unchanged
  return taps;
}

// Absolute sum of the filter over second differences that remains of `taps` without its linear interpolation.
double bendGain(std::array<double, kPeakTaps> taps) {
  // The linear interpolation takes the taps' own first moment, so that what remains annihilates straight
  // lines.
  constexpr std::size_t kNear = kPeakTaps / 2 - 1;  // x[n − 11] and x[n − 12] are the neighbours
  double moment = 0.0;
  for (std::size_t k = 0; k < kPeakTaps; ++k)
    moment += taps[k] * (static_cast<double>(k) - static_cast<double>(kNear));
  taps[kNear] -= 1.0 - moment;
  taps[kNear + 1] -= moment;
  // Dividing by (1 − z⁻¹)² is summing twice.
  double once = 0.0, twice = 0.0, gain = 0.0;
  for (const double tap : taps) {
    once += tap;
    twice += once;
    gain += std::abs(twice);
  }
  return gain;
}

TruePeakFilter design() {
  TruePeakFilter filter{};
  const auto quarter = phase(0.25), half = phase(0.5), threeQuarters = phase(0.75);
  for (std::size_t k = 0; k < kPeakTaps / 2; ++k) {
    const std::size_t mirror = kPeakTaps - 1 - k;
    filter.interpolator.even[k] = static_cast<float>((quarter[k] + quarter[mirror]) / 2.0);
    filter.interpolator.odd[k] = static_cast<float>((quarter[k] - quarter[mirror]) / 2.0);
    filter.interpolator.middle[k] = static_cast<float>(half[k]);
  }
  filter.bendGain =
      static_cast<float>(std::max({bendGain(quarter), bendGain(half), bendGain(threeQuarters)}));
  return filter;
}

}  // namespace

const TruePeakFilter& truePeakFilter() {
  static const TruePeakFilter filter = design();
  return filter;
}

// `before` must cover the 23 samples in front of the chunk at `x`.
void PeakMeter::look(const float* x, const Chunk& chunk, const Chunk& before) {
  samplePeak_ = std::max(samplePeak_, chunk.peak);
  if (!wantTruePeak_) return;
  truePeak_ = std::max(truePeak_, chunk.peak);
  const TruePeakFilter& filter = truePeakFilter();
  constexpr float kRounding = 1.0f + 1e-5f;  // far above what single precision loses in 24 products
  const float bound =
      (std::max(chunk.peak, before.peak) + filter.bendGain * std::max(chunk.bend, before.bend)) * kRounding;
  if (bound > truePeak_)
    truePeak_ = std::max(truePeak_, simd::kernels().loudness.interpolatedPeak(x, filter.interpolator));
}

void PeakMeter::push(const float* x, std::size_t frames) {
  const simd::LoudnessKernels& kernels = simd::kernels().loudness;
  Chunk before = last_, chunk, earlier;
  std::size_t n = 0;
  for (; n + kPeakChunk <= frames; n += kPeakChunk) {
    kernels.chunkPeak(x + n, &chunk.peak, &chunk.bend);
    look(x + n, chunk, before);
    earlier = before;
    before = chunk;
  }
  last_ = before;
  if (n == frames) return;
  // The rest, as a full chunk that overlaps the one before it: looking at a sample twice changes no maximum.
  const float* rest = x + frames - kPeakChunk;
  kernels.chunkPeak(rest, &last_.peak, &last_.bend);
  look(rest, last_, {std::max(before.peak, earlier.peak), std::max(before.bend, earlier.bend)});
}

}  // namespace tonearm
