#include "core/dsp/mel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/support/error.hpp"

namespace tonearm {

namespace {

constexpr double kLinearHz = 200.0 / 3, kBreakHz = 1000, kBreakMel = kBreakHz / kLinearHz;

double melOfHz(MelScale scale, double hz) {
  if (scale == MelScale::htk) return 2595 * std::log10(1 + hz / 700);
  return hz < kBreakHz ? hz / kLinearHz : kBreakMel + 27 * std::log(hz / kBreakHz) / std::log(6.4);
}

double hzOfMel(MelScale scale, double mel) {
  if (scale == MelScale::htk) return 700 * (std::pow(10.0, mel / 2595) - 1);
  return mel < kBreakMel ? mel * kLinearHz : kBreakHz * std::exp((mel - kBreakMel) * std::log(6.4) / 27);
}

// The triangle's weight in every bin.
std::vector<double> triangle(MelScale scale, double lowHz, double topHz, double highHz, double binHz,
                             std::size_t bins) {
  std::vector<double> weights(bins);
  for (std::size_t k = 0; k < bins; ++k) {
    const double hz = static_cast<double>(k) * binHz;
    weights[k] = std::max(0.0, std::min((hz - lowHz) / (topHz - lowHz), (highHz - hz) / (highHz - topHz)));
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (total == 0)
    weights[static_cast<std::size_t>(std::lround(topHz / binHz))] = 1;
  else if (scale == MelScale::slaney)
    for (double& weight : weights) weight /= total;
  return weights;
}

}  // namespace

MelFilterbank::MelFilterbank(double sampleRateHz, std::size_t fftSize, std::size_t bands, double fMinHz,
                             double fMaxHz, MelScale scale, const simd::Kernels& kernels)
    : kernels_(kernels), bins_(fftSize / 2 + 1) {
  if (!(fMinHz >= 0 && fMinHz < fMaxHz && fMaxHz <= sampleRateHz / 2))
    throw Error(ErrorCode::invalidParameter,
                "The mel bands go from " + std::to_string(fMinHz) + " to " + std::to_string(fMaxHz) +
                    " Hz, expected rising frequencies up to half the sample rate.");
  if (bands < 1 || fftSize < 256 || fftSize > 16384 || (fftSize & (fftSize - 1)) != 0)
    throw Error(ErrorCode::invalidParameter,
                "Mel bands were asked for with " + std::to_string(bands) + " bands of a " +
                    std::to_string(fftSize) +
                    "-point transform, expected at least 1 band and a power of two from 256 to 16384.");

  const double lowMel = melOfHz(scale, fMinHz),
               stepMel = (melOfHz(scale, fMaxHz) - lowMel) / static_cast<double>(bands + 1);
  const auto pointHz = [&](std::size_t i) {
    return hzOfMel(scale, lowMel + stepMel * static_cast<double>(i));
  };
  std::vector<std::size_t> offsets;
  for (std::size_t b = 0; b < bands; ++b) {
    const std::vector<double> weights = triangle(scale, pointHz(b), pointHz(b + 1), pointHz(b + 2),
                                                 sampleRateHz / static_cast<double>(fftSize), bins_);
    const auto used = [](double weight) { return weight > 0; };
    const auto begin = std::find_if(weights.begin(), weights.end(), used);
    const auto end = std::find_if(weights.rbegin(), weights.rend(), used).base();
    // Whole vectors. The corner bins of a triangle weigh nothing, so the greatest padded width, fftSize / 2,
    // fits.
    const std::size_t lanes = kernels.lanes;
    const std::size_t count = (static_cast<std::size_t>(end - begin) + lanes - 1) / lanes * lanes;
    const std::size_t first = std::min(static_cast<std::size_t>(begin - weights.begin()), bins_ - count);
    offsets.push_back(weights_.size());
    for (std::size_t i = 0; i < count; ++i) weights_.push_back(static_cast<float>(weights[first + i]));
    first_.push_back(static_cast<std::uint32_t>(first));
    count_.push_back(static_cast<std::uint32_t>(count));
  }
  for (const std::size_t offset : offsets) rows_.push_back(weights_.data() + offset);
  view_ = {bands, first_.data(), count_.data(), rows_.data()};
}

void MelFilterbank::apply(std::span<const float> magnitudes, std::size_t frames, std::span<float> out) const {
  if (magnitudes.size() != frames * bins_ || out.size() != frames * bands())
    throw Error(ErrorCode::internalError,
                "MelFilterbank: the rows have another length than the bank was made for.");
  kernels_.sparseBands(view_, magnitudes.data(), bins_, frames, out.data());
}

void logOnePlus(std::span<const float> x, float gain, std::span<float> y, const simd::Kernels& kernels) {
  if (x.size() != y.size())
    throw Error(ErrorCode::internalError, "logOnePlus: input and output differ in length.");
  kernels.logOnePlus(x.data(), gain, y.data(), x.size());
}

}  // namespace tonearm
