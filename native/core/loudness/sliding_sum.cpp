#include "core/loudness/sliding_sum.hpp"

namespace tonearm {

SlidingSum::SlidingSum(std::size_t groups) : tails_(groups) {}

double SlidingSum::push(double value) {
  current_[position_++] = value;
  currentSum_ += value;
  const double sum = tails_[oldest_][position_] + middle_ + currentSum_;
  if (position_ == kGroup) finishGroup();
  return sum;
}

void SlidingSum::finishGroup() {
  auto& tail = tails_[oldest_];
  tail[kGroup] = 0.0;
  for (std::size_t i = kGroup; i > 0; --i) tail[i - 1] = tail[i] + current_[i - 1];
  oldest_ = (oldest_ + 1) % tails_.size();
  middle_ = 0.0;
  for (std::size_t i = 1; i < tails_.size(); ++i) middle_ += tails_[(oldest_ + i) % tails_.size()][0];
  position_ = 0;
  currentSum_ = 0.0;
}

}  // namespace tonearm
