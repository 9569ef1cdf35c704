#pragma once

#include <cstddef>
#include <vector>

namespace tonearm {

struct TempoRange {
  double minBpm = 40;
  double maxBpm = 240;
};

// The tempi a beat tracker may take, as beat intervals in whole frames: every frame up to 60, every second to
// 100, every third above, so that neighbours differ by 1.7–4 % throughout. Transitions cost `λ·|τ/τ' − 1|`
// (Krebs, Böck and Widmer, "An efficient state-space model for joint tempo and meter tracking", ISMIR 2015)
// within a band of neighbours.
class TempoSpace {
 public:
  // Neighbours to either side that the tempo may move to from one beat to the next.
  static constexpr int kBand = 12;

  // Transitions that cost more than `highestCost` are left out: jumping to any tempo is cheaper.
  TempoSpace(double frameRateHz, TempoRange range, double transitionLambda, double highestCost);

  std::size_t size() const noexcept { return intervals_.size(); }
  int intervalFrames(std::size_t index) const noexcept { return intervals_[index]; }
  int longestFrames() const noexcept { return intervals_.back(); }
  // The transitions from interval `to + offset` to each interval `to`, `offset` in −kBand…kBand: log weights
  // by `to`, so that neighbours in tempo are neighbours in memory. Only those with `to` in [first, end)
  // exist.
  struct Diagonal {
    std::size_t first = 0, end = 0;
    std::vector<float> logWeights;
  };
  const Diagonal& diagonal(int offset) const noexcept {
    return diagonals_[static_cast<std::size_t>(offset + kBand)];
  }

 private:
  std::vector<int> intervals_;
  std::vector<Diagonal> diagonals_;
};

}  // namespace tonearm
