#include "core/dsp/resampler.hpp"

#include <optional>
#include <string>
#include <vector>

#include "core/dsp/half_band.hpp"
#include "core/dsp/polyphase.hpp"
#include "core/support/error.hpp"

namespace tonearm {

namespace {

// One channel: halve the rate while that is cheap, then go the rest by the general filter.
class Chain {
 public:
  Chain(int fromHz, int toHz, const simd::Kernels& kernels) {
    // A wide half-band passes 0.16 of its rate, which must cover 1.1 of the last Nyquist frequency: what it
    // lets through above that, folded or not, is left to the next stage.
    while (fromHz % 2 == 0 && 0.16 * fromHz >= 0.55 * toHz) {
      halvings_.emplace_back(false, kernels);
      fromHz /= 2;
    }
    if (fromHz == 2 * toHz)
      halvings_.emplace_back(true, kernels);
    else if (fromHz != toHz)
      rest_.emplace(fromHz, toHz, kernels);
  }

  std::span<const float> push(std::span<const float> samples) {
    for (HalfBand& stage : halvings_) samples = exchange(stage, samples, false);
    if (rest_) samples = exchange(*rest_, samples, false);
    return samples;
  }

  // Each stage gets what those before it still held, and then gives up its own rest.
  std::span<const float> finish() {
    std::span<const float> samples;
    for (HalfBand& stage : halvings_) samples = exchange(stage, samples, true);
    if (rest_) samples = exchange(*rest_, samples, true);
    return samples;
  }

 private:
  template <typename Stage>
  std::span<const float> exchange(Stage& stage, std::span<const float> in, bool last) {
    stage.push(in, out_);
    if (last) {
      stage.finish(tail_);
      out_.insert(out_.end(), tail_.begin(), tail_.end());
    }
    in_.swap(out_);
    return in_;
  }

  std::vector<HalfBand> halvings_;
  std::optional<Polyphase> rest_;
  std::vector<float> in_, out_, tail_;
};

}  // namespace

class Resampler::Impl {
 public:
  Impl(int fromHz, int toHz, std::size_t channels, Consumer consume, const simd::Kernels& kernels)
      : consume_(std::move(consume)), pointers_(channels) {
    for (std::size_t c = 0; c < channels; ++c) chains_.emplace_back(fromHz, toHz, kernels);
  }

  void push(std::span<const float* const> channels, std::size_t frames) {
    handOn([&](std::size_t c) { return chains_[c].push({channels[c], frames}); });
  }
  void finish() {
    handOn([&](std::size_t c) { return chains_[c].finish(); });
  }

 private:
  template <typename Step>
  void handOn(const Step& step) {
    std::size_t frames = 0;
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      const std::span<const float> samples = step(c);
      pointers_[c] = samples.data();
      frames = samples.size();
    }
    if (frames > 0) consume_(pointers_, frames);
  }

  Consumer consume_;
  std::vector<Chain> chains_;
  std::vector<const float*> pointers_;
};

Resampler::Resampler(int fromHz, int toHz, std::size_t channels, Consumer consume,
                     const simd::Kernels& kernels) {
  for (const int rate : {fromHz, toHz})
    if (rate < 1000 || rate > 768000)
      throw Error(ErrorCode::invalidParameter,
                  "The sample rate is " + std::to_string(rate) + " Hz, expected 1000 to 768000.");
  if (channels < 1 || channels > 64)
    throw Error(ErrorCode::invalidParameter,
                "The resampler was given " + std::to_string(channels) + " channels, expected 1 to 64.");
  impl_ = std::make_unique<Impl>(fromHz, toHz, channels, std::move(consume), kernels);
}
Resampler::~Resampler() = default;
void Resampler::push(std::span<const float* const> channels, std::size_t frames) {
  impl_->push(channels, frames);
}
void Resampler::finish() {
  impl_->finish();
}

}  // namespace tonearm
