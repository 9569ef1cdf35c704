#include "core/rhythm/tempo_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/rhythm/tempo_space.hpp"

namespace tonearm {

namespace {

constexpr std::int64_t kReachFrames = 2;
constexpr double kLeastLogOdds = -6;
constexpr double kDoubt = 0.25;  // share of belief from which half or double tempo is worth naming

double oddsNear(std::span<const float> odds, double frame) {
  const auto centre = static_cast<std::int64_t>(std::lround(frame));
  const auto count = static_cast<std::int64_t>(odds.size());
  double largest = kLeastLogOdds;
  for (std::int64_t i = std::max<std::int64_t>(0, centre - kReachFrames);
       i <= std::min(count - 1, centre + kReachFrames); ++i)
    largest = std::max(largest, static_cast<double>(odds[i]));
  return largest;
}

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

// Of two rows of beats that interleave, the chance that the weaker ones are beats, too, and not subdivisions,
// by the mean log odds of each. Fitted by logistic regression to rendered songs that the network was not
// trained on.
double chanceOfWeakBeats(double strongLogOdds, double weakLogOdds) {
  return logistic(1.9 - 1.6 * strongLogOdds + 2.5 * weakLogOdds);
}

}  // namespace

TempoChoice weighLevels(std::span<const float> beatLogOdds, std::span<const DecodedBeat> beats,
                        double frameRateHz) {
  TempoChoice choice;
  if (beats.size() < 2) return choice;
  std::array<double, 2> halves{};  // of even and odd beats
  double between = 0;
  for (std::size_t i = 0; i < beats.size(); ++i) {
    halves[i % 2] += oddsNear(beatLogOdds, static_cast<double>(beats[i].frame));
    if (i + 1 < beats.size())
      between += oddsNear(beatLogOdds, static_cast<double>(beats[i].frame + beats[i + 1].frame) / 2);
  }
  const double count = static_cast<double>(beats.size());
  choice.evidence = (halves[0] + halves[1]) / count;
  halves[0] /= std::ceil(count / 2);
  halves[1] /= std::floor(count / 2);
  const double bpm =
      60 * frameRateHz * (count - 1) / static_cast<double>(beats.back().frame - beats.front().frame);

  constexpr TempoRange kRange;
  double weak = chanceOfWeakBeats(std::max(halves[0], halves[1]), std::min(halves[0], halves[1]));
  double middle = chanceOfWeakBeats(choice.evidence, between / (count - 1));
  if (bpm / 2 < kRange.minBpm) weak = 1;
  if (bpm * 2 > kRange.maxBpm) middle = 0;
  const double pulse = logistic(1 + choice.evidence);  // how sure a pulse is there at all
  choice.levels = {{1, pulse * weak * (1 - middle)}, {0.5, pulse * (1 - weak)}, {2, pulse * weak * middle}};
  std::stable_sort(choice.levels.begin(), choice.levels.end(),
                   [](const TempoLevel& a, const TempoLevel& b) { return a.confidence > b.confidence; });
  choice.inDoubt = choice.levels[1].confidence >= kDoubt * pulse;
  std::erase_if(choice.levels, [](const TempoLevel& level) { return level.confidence == 0; });
  return choice;
}

}  // namespace tonearm
