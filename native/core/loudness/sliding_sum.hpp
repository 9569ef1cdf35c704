#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace tonearm {

// The sum of the last `groups` × 10 values, after every value. Made of sums of ten, so that a step costs two
// additions, and of additions only: nothing of a loud passage is left behind in a quiet one, as it would be
// by subtracting.
class SlidingSum {
 public:
  static constexpr std::size_t kGroup = 10;

  explicit SlidingSum(std::size_t groups);
  // Adds a value and returns the sum; values before the first count as zero.
  double push(double value);

 private:
  void finishGroup();

  std::array<double, kGroup> current_{};               // the group under way
  std::size_t position_ = 0;                           // in `current_`
  double currentSum_ = 0.0;                            // of its values so far
  double middle_ = 0.0;                                // the groups wholly inside the window
  std::vector<std::array<double, kGroup + 1>> tails_;  // ring: sums of each finished group from position i on
  std::size_t oldest_ = 0;
};

}  // namespace tonearm
