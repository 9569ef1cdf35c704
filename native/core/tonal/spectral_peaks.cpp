#include "core/tonal/spectral_peaks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tonearm {
namespace {

// The surroundings are averaged in whole groups of bins: 12 % of the frequency to either side, at least two
// groups.
constexpr std::size_t kGroup = 8;
constexpr double kSurroundings = 0.12;
constexpr std::size_t kFewestGroups = 2;
constexpr float kProminence = 2.5F;  // times the surroundings' mean
constexpr float kFloor = 1e-6F;      // −120 dBFS: rounding noise is no partial

}  // namespace

SpectralPeakPicker::SpectralPeakPicker(std::size_t windowSize, double sampleRateHz, double lowestHz,
                                       double highestHz)
    : firstBin_(static_cast<std::size_t>(lowestHz * static_cast<double>(windowSize) / sampleRateHz)),
      lastBin_(static_cast<std::size_t>(highestHz * static_cast<double>(windowSize) / sampleRateHz)),
      binPitch_(lastBin_ + 1),
      groupPrefix_((windowSize / 2) / kGroup + 1) {
  for (std::size_t k = 1; k <= lastBin_; ++k) {
    const double hz = static_cast<double>(k) * sampleRateHz / static_cast<double>(windowSize);
    binPitch_[k] = static_cast<float>(69 + 12 * std::log2(hz / 440));
  }
}

std::size_t SpectralPeakPicker::bandBins() const noexcept {
  return (lastBin_ / kGroup + 1 - firstBin_ / kGroup) * kGroup;
}

std::span<const SpectralPeak> SpectralPeakPicker::pick(std::span<const float> magnitudes) {
  const std::size_t groups =
      std::min(groupPrefix_.size() - 1,
               static_cast<std::size_t>(static_cast<double>(lastBin_) * (1 + kSurroundings)) / kGroup + 2);
  for (std::size_t g = 0; g < groups; ++g) {
    float sum = 0;
    for (std::size_t i = 0; i < kGroup; ++i) sum += magnitudes[g * kGroup + i];
    groupPrefix_[g + 1] = groupPrefix_[g] + sum;
  }
  const std::size_t firstGroup = firstBin_ / kGroup, lastGroup = lastBin_ / kGroup;
  bandSum_ = groupPrefix_[lastGroup + 1] - groupPrefix_[firstGroup];

  peaks_.clear();
  constexpr float kSemitonesPerRatio = static_cast<float>(12 / std::numbers::ln2);
  for (std::size_t g = firstGroup; g <= lastGroup; ++g) {
    const std::size_t reach =
        std::max(kFewestGroups, static_cast<std::size_t>(static_cast<double>(g) * kSurroundings + 0.5));
    const std::size_t from = g > reach ? g - reach : 0, to = std::min(g + reach + 1, groups);
    const float mean = (groupPrefix_[to] - groupPrefix_[from]) / static_cast<float>((to - from) * kGroup);
    const float threshold = std::max(kFloor, kProminence * mean);
    const std::size_t end = std::min((g + 1) * kGroup, lastBin_ + 1);
    for (std::size_t k = std::max(g * kGroup, firstBin_); k < end; ++k) {
      const float at = magnitudes[k], below = magnitudes[k - 1], above = magnitudes[k + 1];
      if (!(at > threshold && at > below && at >= above)) continue;
      // Hann's main lobe gives the offset of a sine from the ratio of its two largest bins, exactly.
      const float ratio = std::max(below, above) / at;
      const float offset = std::copysign((2 * ratio - 1) / (ratio + 1), above - below);
      // log2(1 + x) to second order: x is at most 1/30, and 0.01 semitones is plenty.
      const float x = offset / static_cast<float>(k);
      peaks_.push_back({binPitch_[k] + kSemitonesPerRatio * (x - 0.5F * x * x), at});
    }
  }
  return peaks_;
}

}  // namespace tonearm
