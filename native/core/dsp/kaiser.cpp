#include "core/dsp/kaiser.hpp"

#include <cmath>
#include <numbers>

namespace tonearm {

namespace {

// Modified Bessel function of the first kind, order 0, by its power series.
double besselI0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; term > 1e-12 * sum; ++k) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

}  // namespace

KaiserLowPass::KaiserLowPass(double cutoff, double attenuationDb, double halfLength)
    : cutoff_(cutoff),
      halfLength_(halfLength),
      beta_(0.1102 * (attenuationDb - 8.7)),
      peak_(besselI0(beta_)) {}

KaiserLowPass KaiserLowPass::design(double cutoff, double width, double attenuationDb) {
  return {cutoff, attenuationDb, std::ceil((attenuationDb - 7.95) / (14.36 * width) / 2)};
}

double KaiserLowPass::operator()(double t) const {
  const double place = t / halfLength_;
  if (std::abs(place) >= 1) return 0;
  const double window = besselI0(beta_ * std::sqrt(1 - place * place)) / peak_;
  const double angle = 2 * std::numbers::pi * cutoff_ * t;
  return 2 * cutoff_ * window * (angle == 0 ? 1 : std::sin(angle) / angle);
}

}  // namespace tonearm
