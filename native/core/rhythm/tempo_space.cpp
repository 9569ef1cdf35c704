#include "core/rhythm/tempo_space.hpp"

#include <cmath>

namespace tonearm {

TempoSpace::TempoSpace(double frameRateHz, TempoRange range, double transitionLambda, double highestCost) {
  const int shortest = static_cast<int>(std::floor(60 * frameRateHz / range.maxBpm));
  const int longest = static_cast<int>(std::ceil(60 * frameRateHz / range.minBpm));
  for (int interval = shortest; interval <= longest;) {
    intervals_.push_back(interval);
    interval += interval < 60 ? 1 : interval < 100 ? 2 : 3;
  }
  const int count = static_cast<int>(intervals_.size());
  for (int offset = -kBand; offset <= kBand; ++offset) {
    Diagonal diagonal;
    diagonal.logWeights.assign(intervals_.size(), static_cast<float>(-highestCost));
    for (int to = 0; to < count; ++to) {
      const int from = to + offset;
      if (from < 0 || from >= count) continue;
      const double cost =
          transitionLambda * std::abs(static_cast<double>(intervals_[to]) / intervals_[from] - 1);
      if (cost > highestCost) continue;
      if (diagonal.end == 0) diagonal.first = static_cast<std::size_t>(to);
      diagonal.end = static_cast<std::size_t>(to) + 1;
      diagonal.logWeights[to] = static_cast<float>(-cost);
    }
    diagonals_.push_back(std::move(diagonal));
  }
}

}  // namespace tonearm
