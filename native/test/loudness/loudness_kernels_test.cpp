// Every instruction set this machine has, beside plain loops.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "core/loudness/k_weighting.hpp"
#include "core/loudness/true_peak.hpp"
#include "core/simd/kernels.hpp"
#include "loudness/measure.hpp"

using namespace tonearm;
using simd::kSegments, simd::kPeakChunk, simd::kPeakTaps;

namespace {

// Eight segments of a signal; `frames` may be any number.
struct Segments {
  std::vector<float> signal;
  std::array<const float*, kSegments> pointers;

  explicit Segments(std::size_t frames) : signal(signals::noise(kSegments * frames + 8, 1.0f)) {
    for (std::size_t i = 0; i < kSegments; ++i) pointers[i] = signal.data() + i * frames;
  }
};

constexpr std::size_t kLengths[] = {1, 3, 4, 80, 441, 1923};

}  // namespace

TEST("segment end states are those the filter reaches from rest") {
  for (const simd::Kernels* table : simd::kernelTables()) {
    for (const std::size_t frames : kLengths) {
      const KWeighting filter = kWeighting(44100);
      const KWeightingSegment map(filter, frames);
      const Segments segments(frames);
      std::array<double, 4 * kSegments> states;
      table->loudness.endStates(segments.pointers.data(), map.response(), map.planeSize(), states.data());
      for (std::size_t i = 0; i < kSegments; ++i) {
        KWeightingState slow{};
        for (std::size_t n = 0; n < frames; ++n)
          kWeightingStep(filter, slow, static_cast<double>(segments.pointers[i][n]));
        for (std::size_t delay = 0; delay < 4; ++delay) CHECK_NEAR(states[4 * i + delay], slow[delay], 1e-10);
      }
    }
  }
}

TEST("carrying a state over a segment equals filtering zeros") {
  const KWeighting filter = kWeighting(96000);
  const KWeightingSegment map(filter, 960);
  KWeightingState slow = {0.3, -0.2, 1.5, -1.4};
  const KWeightingState fast = map.carry(slow);
  for (int n = 0; n < 960; ++n) kWeightingStep(filter, slow, 0.0);
  for (std::size_t delay = 0; delay < 4; ++delay) CHECK_NEAR(fast[delay], slow[delay], 1e-10);
}

TEST("segment energies and states are those of the plain filter, from any initial state") {
  for (const simd::Kernels* table : simd::kernelTables()) {
    for (const std::size_t frames : kLengths) {
      const KWeighting filter = kWeighting(48000);
      const Segments segments(frames);
      std::array<double, 4 * kSegments> states;
      for (std::size_t i = 0; i < states.size(); ++i) states[i] = std::sin(double(i));
      const auto before = states;
      std::array<double, kSegments> energies;
      table->loudness.weightedEnergies(segments.pointers.data(), frames, filter, states.data(),
                                       energies.data());
      for (std::size_t i = 0; i < kSegments; ++i) {
        KWeightingState slow;
        for (std::size_t delay = 0; delay < 4; ++delay) slow[delay] = before[kSegments * delay + i];
        double energy = 0.0;
        for (std::size_t n = 0; n < frames; ++n) {
          const double y = kWeightingStep(filter, slow, static_cast<double>(segments.pointers[i][n]));
          energy += y * y;
        }
        CHECK_NEAR(energies[i] / energy, 1.0, 1e-11);
        for (std::size_t delay = 0; delay < 4; ++delay)
          CHECK_NEAR(states[kSegments * delay + i], slow[delay], 1e-10);
      }
    }
  }
}

TEST("chunk peaks and interpolated peaks are those of plain loops") {
  for (const simd::Kernels* table : simd::kernelTables()) {
    for (std::uint32_t seed = 1; seed < 30; ++seed) {
      const auto signal = signals::noise(kPeakTaps + kPeakChunk, 1.0f, seed);
      const float* x = signal.data() + kPeakTaps;
      float peak = -1.0f, bend = -1.0f, slowPeak = 0.0f, slowBend = 0.0f;
      table->loudness.chunkPeak(x, &peak, &bend);
      double slowInterpolated = 0.0;
      const simd::PeakInterpolator& filter = truePeakFilter().interpolator;
      for (int n = 0; n < static_cast<int>(kPeakChunk); ++n) {
        slowPeak = std::max(slowPeak, std::abs(x[n]));
        slowBend = std::max(slowBend, std::abs(x[n] - 2.0f * x[n - 1] + x[n - 2]));
        double u = 0.0, v = 0.0, w = 0.0;
        for (int k = 0; k < static_cast<int>(kPeakTaps) / 2; ++k) {
          const double late = static_cast<double>(x[n - k]), early = static_cast<double>(x[n - 23 + k]);
          u += static_cast<double>(filter.even[k]) * (late + early);
          v += static_cast<double>(filter.odd[k]) * (late - early);
          w += static_cast<double>(filter.middle[k]) * (late + early);
        }
        slowInterpolated = std::max({slowInterpolated, std::abs(u + v), std::abs(u - v), std::abs(w)});
      }
      CHECK(peak == slowPeak);
      CHECK_NEAR(bend, slowBend, 1e-6);
      CHECK_NEAR(table->loudness.interpolatedPeak(x, filter), slowInterpolated, 1e-5);
    }
  }
}
