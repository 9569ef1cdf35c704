#include "core/rhythm/tempo_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/rhythm/tempo_space.hpp"

namespace tonearm {

namespace {

constexpr std::int64_t kReachFrames = 2;
// Log odds a second of music that make one level e times as likely as another. Evidence of neighbouring beats
// is far from independent, so it is averaged, not added up.
constexpr double kTemperature = 0.8;
constexpr double kDoubt = 0.3;  // confidence from which half or double tempo is worth naming

double oddsNear(std::span<const float> odds, double frame) {
  const auto centre = static_cast<std::int64_t>(std::lround(frame));
  const auto count = static_cast<std::int64_t>(odds.size());
  double largest = -4;
  for (std::int64_t i = std::max<std::int64_t>(0, centre - kReachFrames);
       i <= std::min(count - 1, centre + kReachFrames); ++i)
    largest = std::max(largest, static_cast<double>(odds[i]));
  return largest;
}

}  // namespace

TempoChoice chooseTempo(std::span<const float> beatLogOdds, std::span<const DecodedBeat> beats,
                        double frameRateHz) {
  TempoChoice choice;
  if (beats.size() < 2) return choice;
  double even = 0, odd = 0, between = 0;
  for (std::size_t i = 0; i < beats.size(); ++i) {
    (i % 2 == 0 ? even : odd) += oddsNear(beatLogOdds, static_cast<double>(beats[i].frame));
    if (i + 1 < beats.size())
      between += oddsNear(beatLogOdds, static_cast<double>(beats[i].frame + beats[i + 1].frame) / 2);
  }
  const double seconds = static_cast<double>(beats.back().frame - beats.front().frame) / frameRateHz;
  const double all = even + odd;
  const double bpm = 60 * static_cast<double>(beats.size() - 1) / seconds;
  choice.evidence = all / static_cast<double>(beats.size());

  // The odds of a level are the sum of those of its beats; its share of belief follows from the difference.
  std::array<TempoLevel, 3> levels = {{{1, 1}, {2, 0}, {0.5, 0}}};
  if (2 * bpm <= TempoSpace::kMaxBpm) levels[1].confidence = std::exp(between / seconds / kTemperature);
  if (bpm / 2 >= TempoSpace::kMinBpm)
    levels[2].confidence = std::exp(-std::min(even, odd) / seconds / kTemperature);
  double total = 0;
  for (const TempoLevel& level : levels) total += level.confidence;
  // How sure a pulse is there at all.
  const double pulse = 1 / (1 + std::exp(-2 * choice.evidence));
  for (TempoLevel& level : levels) level.confidence *= pulse / total;
  choice.levels.push_back(levels[0]);
  std::sort(levels.begin() + 1, levels.end(),
            [](const TempoLevel& a, const TempoLevel& b) { return a.confidence > b.confidence; });
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (levels[i].confidence > 0) choice.levels.push_back(levels[i]);
  }
  choice.inDoubt = choice.levels.size() > 1 && choice.levels[1].confidence >= kDoubt * pulse;
  return choice;
}

}  // namespace tonearm
