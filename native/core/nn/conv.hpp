#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/simd/kernels.hpp"
#include "core/support/aligned.hpp"

// Layers of small convolutional networks that run over whole recordings: few channels (4–64), many frames (to
// 550,000). Time is contiguous in memory and in the SIMD lanes. Layers may be used by one thread at a time.
namespace tonearm::nn {

// channels × bands × frames; value (c, b, t) is values[(c · bands + b) · frames + t]. A sequence of vectors
// has one band.
struct FeatureMap {
  std::size_t channels = 0, bands = 0, frames = 0;
  std::vector<float> values;

  FeatureMap() = default;
  FeatureMap(std::size_t channelCount, std::size_t bandCount, std::size_t frameCount) {
    reshape(channelCount, bandCount, frameCount);
  }
  // Keeps no values; allocates only when it grows.
  void reshape(std::size_t channelCount, std::size_t bandCount, std::size_t frameCount);
  float* row(std::size_t channel, std::size_t band) {
    return values.data() + (channel * bands + band) * frames;
  }
  const float* row(std::size_t channel, std::size_t band) const {
    return values.data() + (channel * bands + band) * frames;
  }
};

using simd::Activation;  // none, relu, elu (α = 1), sigmoid

// `valid`: only where the whole kernel lies inside, (taps − 1) · dilation fewer than came in. `same`: as many
// as came in, zeros beyond both ends; needs an odd number of taps.
enum class Padding { valid, same };

struct ConvolutionShape {
  std::size_t inChannels = 1, outChannels = 1;
  std::size_t bandTaps = 1, frameTaps = 1;  // kernel size over frequency and over time
  std::size_t dilation = 1;                 // in time: taps are this many frames apart
  Padding bandPadding = Padding::valid, framePadding = Padding::same;
  std::size_t bandStride = 1;  // places of the kernel over frequency are this many bands apart
};

// out(o, b, t) = activation(bias(o) + Σ weight(o, i, j, k) · in(i, b·stride + j, t + k·dilation)), the
// convention (and the order of weights, [out][in][band tap][frame tap]) of the deep-learning libraries.
// Covers 3 × 3 kernels, dilated sequence kernels and 1 × 1 layers alike.
class Convolution {
 public:
  // Throws Error{invalidParameter} when the numbers of weights and biases do not fit the shape, or the shape
  // is empty.
  Convolution(const ConvolutionShape& shape, std::span<const float> weights, std::span<const float> bias,
              Activation activation, const simd::Kernels& kernels = simd::kernels());
  // `in` and `out` must be two maps. Throws Error{internalError} when `in` has other channels, or is smaller
  // than a `valid` kernel.
  void apply(const FeatureMap& in, FeatureMap& out);

 private:
  void gatherTaps(const FeatureMap& in, std::size_t band, std::size_t start, std::size_t frames);

  ConvolutionShape shape_;
  Activation activation_;
  const simd::Kernels& kernels_;
  AlignedFloats weights_, edges_, overhang_;
  std::vector<float> bias_;
  std::vector<const float*> taps_;
  std::vector<float*> outputs_;
};

// The greatest of each `size` neighbouring bands; bands left over at the top are dropped.
void maxPoolBands(const FeatureMap& in, std::size_t size, FeatureMap& out);

// In place. ELU and sigmoid use an exponential of relative error below 2e-7.
void activate(Activation activation, std::span<float> values, const simd::Kernels& kernels = simd::kernels());

}  // namespace tonearm::nn
