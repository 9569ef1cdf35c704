#include "core/tonal/tuning.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace tonearm {

void TuningEstimator::add(float pitch, float weight) noexcept {
  const float fraction = pitch - std::floor(pitch);
  const int bin = static_cast<int>(fraction * kBins);
  histogram_[static_cast<std::size_t>(bin < kBins ? bin : 0)] += static_cast<double>(weight);
}

double TuningEstimator::cents() const noexcept {
  const CircularMean mean = circularMean();
  return mean.concentration < kLeastConcentration ? 0 : mean.cents;
}

TuningEstimator::CircularMean TuningEstimator::circularMean() const noexcept {
  std::complex<double> sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < histogram_.size(); ++i) {
    const double turn = (static_cast<double>(i) + 0.5) / kBins;  // the middle of the bin
    sum += std::polar(histogram_[i], 2 * std::numbers::pi * turn);
    total += histogram_[i];
  }
  if (total <= 0) return {0, 0};
  return {std::arg(sum) / (2 * std::numbers::pi) * 100, std::abs(sum) / total};
}

}  // namespace tonearm
