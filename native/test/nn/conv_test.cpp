#include "core/nn/conv.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "core/support/error.hpp"
#include "signals.hpp"

using namespace tonearm;
using nn::FeatureMap;

namespace {

FeatureMap noiseMap(std::size_t channels, std::size_t bands, std::size_t frames) {
  FeatureMap map(channels, bands, frames);
  map.values = signals::noise(map.values.size(), frames + 7);
  return map;
}

double activated(nn::Activation activation, double x) {
  if (activation == nn::Activation::relu) return std::max(x, 0.0);
  if (activation == nn::Activation::elu) return x > 0 ? x : std::expm1(x);
  if (activation == nn::Activation::sigmoid) return 1 / (1 + std::exp(-x));
  return x;
}

// The definition, in double.
void checkAgainstDefinition(const nn::ConvolutionShape& shape, nn::Activation activation,
                            const FeatureMap& in) {
  const std::size_t taps = shape.inChannels * shape.bandTaps * shape.frameTaps;
  std::vector<float> weights = signals::noise(taps * shape.outChannels, 3);
  for (float& weight : weights) weight /= static_cast<float>(std::sqrt(static_cast<double>(taps)));
  const std::vector<float> bias = signals::noise(shape.outChannels, 4);
  const std::ptrdiff_t bandReach = static_cast<std::ptrdiff_t>(shape.bandTaps - 1);
  const std::ptrdiff_t frameReach = static_cast<std::ptrdiff_t>((shape.frameTaps - 1) * shape.dilation);
  const bool sameBands = shape.bandPadding == nn::Padding::same,
             sameFrames = shape.framePadding == nn::Padding::same;
  const std::size_t places = in.bands - (sameBands ? 0 : static_cast<std::size_t>(bandReach));
  const std::size_t bands = (places + shape.bandStride - 1) / shape.bandStride;
  const std::size_t frames = in.frames - (sameFrames ? 0 : static_cast<std::size_t>(frameReach));
  const auto value = [&](std::size_t channel, std::ptrdiff_t band, std::ptrdiff_t frame) {
    const bool inside = band >= 0 && band < static_cast<std::ptrdiff_t>(in.bands) && frame >= 0 &&
                        frame < static_cast<std::ptrdiff_t>(in.frames);
    return inside ? static_cast<double>(in.row(channel, static_cast<std::size_t>(band))[frame]) : 0.0;
  };
  for (const simd::Kernels* table : simd::kernelTables()) {
    nn::Convolution layer(shape, weights, bias, activation, *table);
    FeatureMap out;
    layer.apply(in, out);
    CHECK(out.channels == shape.outChannels && out.bands == bands && out.frames == frames);
    for (std::size_t o = 0; o < out.channels; ++o)
      for (std::size_t b = 0; b < out.bands; ++b)
        for (std::size_t t = 0; t < out.frames; ++t) {
          double sum = static_cast<double>(bias[o]);
          std::size_t weight = o * taps;
          for (std::size_t i = 0; i < shape.inChannels; ++i)
            for (std::size_t j = 0; j < shape.bandTaps; ++j)
              for (std::size_t k = 0; k < shape.frameTaps; ++k)
                sum += static_cast<double>(weights[weight++]) *
                       value(i,
                             static_cast<std::ptrdiff_t>(b * shape.bandStride + j) -
                                 (sameBands ? bandReach / 2 : 0),
                             static_cast<std::ptrdiff_t>(t + k * shape.dilation) -
                                 (sameFrames ? frameReach / 2 : 0));
          CHECK_NEAR(out.row(o, b)[t], activated(activation, sum), 2e-6);
        }
  }
}

}  // namespace

TEST("a 3 × 3 convolution is its definition, whatever the padding and the number of channels") {
  for (const nn::Padding bands : {nn::Padding::valid, nn::Padding::same})
    for (const nn::Padding frames : {nn::Padding::valid, nn::Padding::same})
      for (const std::size_t outputs : {1, 3, 16, 20, 23})
        checkAgainstDefinition({5, outputs, 3, 3, 1, bands, frames}, nn::Activation::none,
                               noiseMap(5, 4, 61));
}

TEST("a kernel that strides over the bands is its definition, whether or not it comes out even") {
  for (const std::size_t bands : {7, 8, 9, 64})
    checkAgainstDefinition({1, 16, 7, 3, 1, nn::Padding::valid, nn::Padding::same, 3}, nn::Activation::relu,
                           noiseMap(1, bands, 100));
  checkAgainstDefinition({3, 5, 3, 1, 1, nn::Padding::same, nn::Padding::same, 2}, nn::Activation::relu,
                         noiseMap(3, 6, 20));
}

TEST("a kernel that spans all bands leaves one") {
  checkAgainstDefinition({16, 20, 8, 1}, nn::Activation::elu, noiseMap(16, 8, 100));
}

TEST("a dilated convolution is its definition, also where it reaches far beyond the ends") {
  for (const std::size_t dilation : {1, 2, 16, 256, 1024})
    for (const std::size_t frames : {1, 15, 16, 480, 533, 1500})
      checkAgainstDefinition({4, 6, 1, 5, dilation}, nn::Activation::elu, noiseMap(4, 1, frames));
  checkAgainstDefinition({20, 20, 1, 5, 4, nn::Padding::valid, nn::Padding::valid}, nn::Activation::none,
                         noiseMap(20, 1, 700));
}

TEST("a 1 × 1 convolution with a sigmoid is its definition") {
  checkAgainstDefinition({32, 2, 1, 1}, nn::Activation::sigmoid, noiseMap(32, 3, 1000));
}

TEST("pooling takes the greatest of neighbouring bands and drops the rest") {
  const FeatureMap in = noiseMap(2, 7, 33);
  FeatureMap out;
  nn::maxPoolBands(in, 3, out);
  CHECK(out.channels == 2 && out.bands == 2 && out.frames == 33);
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t t = 0; t < 33; ++t)
        CHECK(out.row(c, b)[t] ==
              std::max({in.row(c, 3 * b)[t], in.row(c, 3 * b + 1)[t], in.row(c, 3 * b + 2)[t]}));
}

TEST("activations keep to 3e-7 of their definitions from -100 to 100 on every table") {
  std::vector<float> x;
  for (double value = -100; value <= 100; value += 0.0137) x.push_back(static_cast<float>(value));
  for (const simd::Kernels* table : simd::kernelTables())
    for (const nn::Activation activation :
         {nn::Activation::none, nn::Activation::relu, nn::Activation::elu, nn::Activation::sigmoid}) {
      std::vector<float> y = x;
      nn::activate(activation, y, *table);
      for (std::size_t n = 0; n < x.size(); ++n) {
        const double expected = activated(activation, static_cast<double>(x[n]));
        CHECK_NEAR(y[n], expected, 3e-7);
      }
    }
}

TEST("weights that do not fit the shape are refused, and so is a map that does not fit the layer") {
  const std::vector<float> weights(9), bias(1);
  CHECK_THROWS(ErrorCode::invalidParameter, nn::Convolution({1, 1, 3, 3}, {weights.data(), 8}, bias, {}));
  CHECK_THROWS(ErrorCode::invalidParameter, nn::Convolution({1, 1, 3, 3}, weights, {}, {}));
  CHECK_THROWS(ErrorCode::invalidParameter, nn::Convolution({9, 1, 1, 1, 0}, weights, bias, {}));
  CHECK_THROWS(ErrorCode::invalidParameter,
               nn::Convolution({1, 1, 1, 4}, {weights.data(), 4}, bias, nn::Activation::none));
  nn::Convolution layer({1, 1, 3, 3}, weights, bias, nn::Activation::none);
  FeatureMap out;
  CHECK_THROWS(ErrorCode::internalError, layer.apply(noiseMap(2, 3, 5), out));
  CHECK_THROWS(ErrorCode::internalError, layer.apply(noiseMap(1, 1, 5), out));
}
