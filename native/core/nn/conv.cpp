#include "core/nn/conv.hpp"

#include <algorithm>
#include <string>

#include "core/support/error.hpp"

namespace tonearm::nn {

namespace {

// Frames handed to the kernel at a time: rows of this length stay in the cache while all outputs are
// computed. A multiple of every table's block of frames (48, 24, 8).
constexpr std::size_t kChunk = 480;

std::size_t reach(std::size_t taps, std::size_t dilation) {
  return (taps - 1) * dilation;
}

std::size_t lengthAfter(std::size_t length, std::size_t reached, Padding padding) {
  if (padding == Padding::same) return length;
  if (length < reached)
    throw Error(ErrorCode::internalError, "The feature map is smaller than the convolution's kernel.");
  return length - reached;
}

}  // namespace

void FeatureMap::reshape(std::size_t channelCount, std::size_t bandCount, std::size_t frameCount) {
  channels = channelCount;
  bands = bandCount;
  frames = frameCount;
  values.resize(channels * bands * frames);
}

Convolution::Convolution(const ConvolutionShape& shape, std::span<const float> weights,
                         std::span<const float> bias, Activation activation, const simd::Kernels& kernels)
    : shape_(shape), activation_(activation), kernels_(kernels), bias_(bias.begin(), bias.end()) {
  const std::size_t taps = shape.inChannels * shape.bandTaps * shape.frameTaps;
  if (taps == 0 || shape.outChannels == 0 || shape.dilation == 0 || shape.bandStride == 0)
    throw Error(ErrorCode::invalidParameter,
                "A convolution needs at least one channel, tap, band of stride and frame of dilation.");
  if (weights.size() != taps * shape.outChannels || bias.size() != shape.outChannels)
    throw Error(ErrorCode::invalidParameter, "The convolution was given " + std::to_string(weights.size()) +
                                                 " weights and " + std::to_string(bias.size()) +
                                                 " biases, expected " +
                                                 std::to_string(taps * shape.outChannels) + " and " +
                                                 std::to_string(shape.outChannels) + ".");
  if ((shape.bandPadding == Padding::same && shape.bandTaps % 2 == 0) ||
      (shape.framePadding == Padding::same && shape.frameTaps % 2 == 0))
    throw Error(ErrorCode::invalidParameter,
                "A convolution that keeps the size needs an odd number of taps.");
  // Output channels in blocks, the weights of a block side by side for each tap (see simd::ConvolutionTile).
  for (std::size_t first = 0; first < shape.outChannels;) {
    std::size_t block = kernels.convolutionBlock;
    while (block > shape.outChannels - first) block /= 2;
    for (std::size_t k = 0; k < taps; ++k)
      for (std::size_t c = 0; c < block; ++c) weights_.push_back(weights[(first + c) * taps + k]);
    first += block;
  }
  taps_.resize(taps);
  outputs_.resize(shape.outChannels);
  edges_.resize((taps + 1) * kChunk);  // a copy of each tap's row, and a row of zeros
  overhang_.resize(shape.outChannels * kernels.lanes);
}

// Points each tap at the values it needs for output frames start … start + frames − 1. Where they reach
// beyond an end of the row they are copied, with zeros.
void Convolution::gatherTaps(const FeatureMap& in, std::size_t band, std::size_t start, std::size_t frames) {
  const auto half = [](Padding padding, std::size_t reached) {
    return static_cast<std::ptrdiff_t>(padding == Padding::same ? reached / 2 : 0);
  };
  const std::ptrdiff_t firstBand =
      static_cast<std::ptrdiff_t>(band * shape_.bandStride) - half(shape_.bandPadding, shape_.bandTaps - 1);
  const std::ptrdiff_t firstFrame = static_cast<std::ptrdiff_t>(start) -
                                    half(shape_.framePadding, reach(shape_.frameTaps, shape_.dilation));
  const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(in.frames),
                       wanted = static_cast<std::ptrdiff_t>(frames);
  const float* zeros = edges_.data() + taps_.size() * kChunk;
  std::size_t k = 0;
  for (std::size_t channel = 0; channel < shape_.inChannels; ++channel)
    for (std::size_t j = 0; j < shape_.bandTaps; ++j)
      for (std::size_t tap = 0; tap < shape_.frameTaps; ++tap, ++k) {
        const std::ptrdiff_t row = firstBand + static_cast<std::ptrdiff_t>(j);
        const std::ptrdiff_t begin = firstFrame + static_cast<std::ptrdiff_t>(tap * shape_.dilation);
        if (row < 0 || row >= static_cast<std::ptrdiff_t>(in.bands) || begin >= length ||
            begin + wanted <= 0) {
          taps_[k] = zeros;
          continue;
        }
        const float* values = in.row(channel, static_cast<std::size_t>(row));
        if (begin >= 0 && begin + wanted <= length) {
          taps_[k] = values + begin;
          continue;
        }
        float* copy = edges_.data() + k * kChunk;
        const std::ptrdiff_t from = std::max<std::ptrdiff_t>(begin, 0), to = std::min(begin + wanted, length);
        std::fill(copy, copy + (from - begin), 0.0F);
        std::copy(values + from, values + to, copy + (from - begin));
        std::fill(copy + (to - begin), copy + wanted, 0.0F);
        taps_[k] = copy;
      }
}

void Convolution::apply(const FeatureMap& in, FeatureMap& out) {
  if (in.channels != shape_.inChannels)
    throw Error(ErrorCode::internalError, "The convolution was given " + std::to_string(in.channels) +
                                              " channels, expected " + std::to_string(shape_.inChannels) +
                                              ".");
  const std::size_t places = lengthAfter(in.bands, shape_.bandTaps - 1, shape_.bandPadding);
  out.reshape(shape_.outChannels, (places + shape_.bandStride - 1) / shape_.bandStride,
              lengthAfter(in.frames, reach(shape_.frameTaps, shape_.dilation), shape_.framePadding));
  simd::ConvolutionTile tile{
      taps_.data(), taps_.size(), weights_.data(), bias_.data(), outputs_.data(), outputs_.size(), 0,
      activation_};
  const std::size_t lanes = kernels_.lanes, whole = out.frames / lanes * lanes;
  // Bands inside: the next band needs most of the rows again, which are still in the cache.
  for (std::size_t start = 0; start < whole; start += kChunk)
    for (std::size_t band = 0; band < out.bands; ++band) {
      tile.frames = std::min(kChunk, whole - start);
      gatherTaps(in, band, start, tile.frames);
      for (std::size_t c = 0; c < outputs_.size(); ++c) outputs_[c] = out.row(c, band) + start;
      kernels_.convolve(tile);
    }
  if (whole == out.frames) return;
  // The last frames, fewer than a vector, by way of a copy.
  tile.frames = lanes;
  for (std::size_t band = 0; band < out.bands; ++band) {
    gatherTaps(in, band, whole, lanes);
    for (std::size_t c = 0; c < outputs_.size(); ++c) outputs_[c] = overhang_.data() + c * lanes;
    kernels_.convolve(tile);
    for (std::size_t c = 0; c < outputs_.size(); ++c)
      std::copy(outputs_[c], outputs_[c] + (out.frames - whole), out.row(c, band) + whole);
  }
}

void maxPoolBands(const FeatureMap& in, std::size_t size, FeatureMap& out) {
  if (size == 0) throw Error(ErrorCode::invalidParameter, "Pooling needs a size of at least one band.");
  out.reshape(in.channels, in.bands / size, in.frames);
  for (std::size_t channel = 0; channel < out.channels; ++channel)
    for (std::size_t band = 0; band < out.bands; ++band) {
      float* greatest = out.row(channel, band);
      std::copy_n(in.row(channel, band * size), in.frames, greatest);
      for (std::size_t i = 1; i < size; ++i) {
        const float* other = in.row(channel, band * size + i);
        for (std::size_t t = 0; t < in.frames; ++t)
          greatest[t] = greatest[t] > other[t] ? greatest[t] : other[t];
      }
    }
}

void activate(Activation activation, std::span<float> values, const simd::Kernels& kernels) {
  kernels.activate(activation, values.data(), values.size());
}

}  // namespace tonearm::nn
