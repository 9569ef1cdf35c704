#include "core/dsp/stft.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/dsp/stft_tables.hpp"
#include "core/support/error.hpp"

namespace tonearm {

class Stft::Impl {
 public:
  Impl(const StftOptions& options, Consumer consume, const simd::Kernels& kernels)
      : options_(options),
        consume_(std::move(consume)),
        kernels_(kernels),
        tables_(options.windowSize),
        work_(kernels.stftWorkSize(tables_.view())),
        magnitudes_(kernels.lanes * bins()) {
    if (options.center) pending_.assign(options.windowSize / 2, 0.0F);
  }

  void push(std::span<const float> signal) {
    received_ += signal.size();
    pending_.insert(pending_.end(), signal.begin(), signal.end());
    std::size_t start = 0;
    for (; pending_.size() >= start + batchSpan(); start += batchStep()) emit(start, kernels_.lanes);
    discard(start);
  }

  void finish() {
    std::size_t total = 0;
    if (options_.center)
      total = (received_ + options_.hopSize - 1) / options_.hopSize;
    else if (received_ >= options_.windowSize)
      total = (received_ - options_.windowSize) / options_.hopSize + 1;
    while (emitted_ < total) {
      pending_.resize(std::max(pending_.size(), batchSpan()), 0.0F);
      emit(0, std::min(kernels_.lanes, total - emitted_));
      discard(batchStep());
    }
  }

 private:
  std::size_t bins() const { return options_.windowSize / 2 + 1; }
  // From the first sample of a batch's first frame to the last of its last, and from one batch to the next.
  std::size_t batchSpan() const { return options_.windowSize + (kernels_.lanes - 1) * options_.hopSize; }
  std::size_t batchStep() const { return kernels_.lanes * options_.hopSize; }

  void discard(std::size_t samples) {
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(samples));
  }

  // Transforms a batch and hands on its first `frames` frames.
  void emit(std::size_t start, std::size_t frames) {
    kernels_.stft(tables_.view(), pending_.data() + start, options_.hopSize, work_.data(),
                  magnitudes_.data());
    emitted_ += frames;
    consume_({magnitudes_.data(), frames * bins()}, frames);
  }

  StftOptions options_;
  Consumer consume_;
  const simd::Kernels& kernels_;
  StftTables tables_;
  AlignedFloats work_, magnitudes_;
  std::vector<float> pending_;  // the samples from the start of the next batch on
  std::size_t received_ = 0, emitted_ = 0;
};

Stft::Stft(const StftOptions& options, Consumer consume, const simd::Kernels& kernels) {
  const std::size_t size = options.windowSize;
  if (size < 256 || size > 16384 || (size & (size - 1)) != 0)
    throw Error(ErrorCode::invalidParameter, "The STFT's window is " + std::to_string(size) +
                                                 " samples, expected a power of two from 256 to 16384.");
  if (options.hopSize < 1 || options.hopSize > size)
    throw Error(ErrorCode::invalidParameter, "The STFT's hop is " + std::to_string(options.hopSize) +
                                                 " samples, expected 1 to the window's size.");
  impl_ = std::make_unique<Impl>(options, std::move(consume), kernels);
}
Stft::~Stft() = default;
void Stft::push(std::span<const float> signal) {
  impl_->push(signal);
}
void Stft::finish() {
  impl_->finish();
}

}  // namespace tonearm
