#include "core/loudness/k_weighting.hpp"

#include <cmath>
#include <numbers>

namespace tonearm {

KWeighting kWeighting(int sampleRateHz) {
  // Centre frequency, quality and gain of the analogue prototypes, solved from the 48 kHz coefficients of
  // ITU-R BS.1770 (tables 1 and 2) by inverting the bilinear transform.
  constexpr double kShelfHz = 1681.974450955533, kShelfQ = 0.7071752369554196, kShelfDb = 3.999843853973347;
  constexpr double kBandExponent = 0.4996667741545416;  // how the band term of the shelf grows with its gain
  constexpr double kHighPassHz = 38.13547087602444, kHighPassQ = 0.5003270373238773;

  const double gain = std::pow(10.0, kShelfDb / 20.0);
  const double bandGain = std::pow(gain, kBandExponent);
  const double k = std::tan(std::numbers::pi * kShelfHz / sampleRateHz);
  const double scale = 1.0 / (1.0 + k / kShelfQ + k * k);
  const double h = std::tan(std::numbers::pi * kHighPassHz / sampleRateHz);
  const double highPassScale = 1.0 / (1.0 + h / kHighPassQ + h * h);
  return {
      .b0 = (gain + bandGain * k / kShelfQ + k * k) * scale,
      .b1 = 2.0 * (k * k - gain) * scale,
      .b2 = (gain - bandGain * k / kShelfQ + k * k) * scale,
      .a1 = 2.0 * (k * k - 1.0) * scale,
      .a2 = (1.0 - k / kShelfQ + k * k) * scale,
      .c1 = 2.0 * (h * h - 1.0) * highPassScale,
      .c2 = (1.0 - h / kHighPassQ + h * h) * highPassScale,
  };
}

KWeightingSegment::KWeightingSegment(const KWeighting& filter, std::size_t frames)
    : frames_(frames), planeSize_((frames + 7) / 8 * 8), response_(4 * planeSize_, 0.0) {
  // Time invariance: the sample n frames before the end leaves what an impulse leaves after n further frames.
  KWeightingState state{};
  for (std::size_t n = 0; n < frames; ++n) {
    kWeightingStep(filter, state, n == 0 ? 1.0 : 0.0);
    for (std::size_t delay = 0; delay < 4; ++delay)
      response_[delay * planeSize_ + frames - 1 - n] = state[delay];
  }
  for (std::size_t delay = 0; delay < 4; ++delay) {
    KWeightingState column{};
    column[delay] = 1.0;
    for (std::size_t n = 0; n < frames; ++n) kWeightingStep(filter, column, 0.0);
    transition_[delay] = column;
  }
}

KWeightingState KWeightingSegment::carry(const KWeightingState& state) const {
  KWeightingState next{};
  for (std::size_t to = 0; to < 4; ++to)
    for (std::size_t from = 0; from < 4; ++from) next[to] += transition_[from][to] * state[from];
  return next;
}

}  // namespace tonearm
