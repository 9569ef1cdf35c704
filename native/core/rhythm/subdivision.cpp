#include "core/rhythm/subdivision.hpp"

#include <algorithm>
#include <cmath>

#include "core/rhythm/tempo_space.hpp"

namespace tonearm {

namespace {

constexpr float kStrongest = 5;  // more than this says no more
constexpr std::size_t kFewestBeats = 8;

// How the ranges add up when the stronger half of the beats is looked for.
constexpr std::array<double, 3> kWeights = {0.33, 0.42, 0.25};

// The weaker beats are subdivisions when no range gives them more than this share of the stronger ones'
// strength. At slow tempi weak beats are weaker too, so the share asked for falls with tempo.
double shareLimit(double bpm) {
  return 0.9 - 0.4 * std::max(0.0, std::log2(220 / bpm));
}

// Nor are they beats when they have less than this share of the strength of all ranges together.
constexpr double kTotalShareLimit = 0.6;

double strengthAt(const std::vector<float>& range, std::int64_t frame) {
  float strongest = 0;
  const auto count = static_cast<std::int64_t>(range.size());
  for (std::int64_t i = std::max<std::int64_t>(0, frame - 1); i <= std::min(count - 1, frame + 1); ++i)
    strongest = std::max(strongest, range[i]);
  return std::min(strongest, kStrongest);
}

}  // namespace

void dropSubdivisions(std::vector<DecodedBeat>& beats, const OnsetRanges& ranges, int framesPerOnset,
                      double decoderRateHz) {
  if (beats.size() < kFewestBeats) return;
  const double seconds = static_cast<double>(beats.back().frame - beats.front().frame) / decoderRateHz;
  const double bpm = 60 * static_cast<double>(beats.size() - 1) / seconds;
  if (bpm / 2 < TempoRange{}.minBpm) return;

  std::array<std::array<double, 3>, 2> strengths{};  // of even and odd beats
  std::array<double, 2> totals{};
  for (std::size_t i = 0; i < beats.size(); ++i) {
    for (std::size_t range = 0; range < ranges.size(); ++range) {
      const double strength =
          strengthAt(ranges[range], (beats[i].frame + framesPerOnset / 2) / framesPerOnset);
      strengths[i % 2][range] += strength;
      totals[i % 2] += kWeights[range] * strength;
    }
  }
  const std::size_t strong = totals[0] >= totals[1] ? 0 : 1;
  double share = 0;
  for (std::size_t range = 0; range < ranges.size(); ++range) {
    if (strengths[strong][range] > 0)
      share = std::max(share, strengths[1 - strong][range] / strengths[strong][range]);
  }
  if (share >= shareLimit(bpm) && totals[1 - strong] >= kTotalShareLimit * totals[strong]) return;

  std::vector<DecodedBeat> kept;
  for (std::size_t i = strong; i < beats.size(); i += 2)
    kept.push_back({beats[i].frame, 2 * beats[i].intervalFrames});
  beats = std::move(kept);
}

}  // namespace tonearm
