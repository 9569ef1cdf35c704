// Speed of the convolution layers in 10⁹ multiply-adds a second, beside that of a loop of nothing but
// multiply-adds in registers, measured by turns in one run; one JSON object a layer.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/nn/conv.hpp"
#include "cpu_time.hpp"

namespace {

using tonearm::nn::Activation;
using tonearm::nn::Convolution;
using tonearm::nn::ConvolutionShape;
using tonearm::nn::FeatureMap;
using tonearm::nn::Padding;

double seconds(const std::function<void()>& body) {
  const double start = cpuSeconds();
  body();
  return cpuSeconds() - start;
}

// The machine's peak: 16 independent chains of multiply-adds on vectors of 16 floats.
double peakGmacs() {
  typedef float Vec __attribute__((vector_size(64)));
  constexpr int kRounds = 200000;
  Vec sums[16], factor = {}, term = {};
  factor += 0.999F;
  term += 0.5F;
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) sums[i] = factor * static_cast<float>(i);
  const double start = cpuSeconds();
  for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) sums[i] = sums[i] * factor + term;
  }
  const double time = cpuSeconds() - start;
  Vec total = {};
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) total += sums[i];
  volatile float sink = total[3];
  (void)sink;
  return 16.0 * 16 * kRounds / time * 1e-9;
}

void measure(const char* name, const ConvolutionShape& shape, std::size_t bands, std::size_t frames,
             Activation activation) {
  const std::size_t taps = shape.inChannels * shape.bandTaps * shape.frameTaps;
  const std::vector<float> weights(taps * shape.outChannels, 0.01F), bias(shape.outChannels, 0.1F);
  Convolution layer(shape, weights, bias, activation);
  FeatureMap in(shape.inChannels, bands, frames), out;
  std::fill(in.values.begin(), in.values.end(), 0.5F);
  double best = 1e30, peak = 0;
  for (int round = 0; round < 8; ++round) {
    best = std::min(best, seconds([&] { layer.apply(in, out); }));
    peak = std::max(peak, peakGmacs());
  }
  const double gmacs = static_cast<double>(taps * out.values.size()) / best * 1e-9;
  std::printf(
      "{\"layer\": \"%s\", \"gmac_per_s\": %.1f, \"peak_gmac_per_s\": %.1f, \"share\": %.2f, \"ms\": %.2f, "
      "\"simd\": \"%s\"}\n",
      name, gmacs, peak, gmacs / peak, best * 1e3, tonearm::simd::kernels().name);
}

}  // namespace

int main() {
  measure("3x3, 1 to 16 channels, 81 bands", {1, 16, 3, 3}, 81, 3000, Activation::elu);
  measure("3x3, 16 to 16 channels, 26 bands", {16, 16, 3, 3}, 26, 3000, Activation::elu);
  measure("8x1, 16 to 20 channels, 8 bands", {16, 20, 8, 1}, 8, 30000, Activation::elu);
  for (const std::size_t dilation : {1, 32, 1024})
    measure("1x5 dilated, 20 to 20 channels", {20, 20, 1, 5, dilation}, 1, 30000, Activation::elu);
  measure("1x5 dilated by 64, 32 to 32 channels", {32, 32, 1, 5, 64}, 1, 30000, Activation::elu);
  measure("1x5 dilated by 64, 20 to 20 channels, 3 h", {20, 20, 1, 5, 64}, 1, 550000, Activation::elu);
  measure("1x1, 20 to 20 channels", {20, 20}, 1, 30000, Activation::none);
  measure("1x1, 20 to 2 channels, sigmoid", {20, 2}, 1, 30000, Activation::sigmoid);
}
