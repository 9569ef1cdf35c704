#include "core/dsp/stft.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "core/dsp/fft.hpp"
#include "core/support/error.hpp"

namespace tonearm {

class Stft::Impl {
 public:
  Impl(const StftOptions& options, Consumer consume)
      : options_(options),
        consume_(std::move(consume)),
        fft_(options.windowSize),
        window_(options.windowSize),
        windowed_(options.windowSize),
        spectrum_(fft_.bins()),
        magnitudes_(kBatch * fft_.bins()) {
    const double size = static_cast<double>(options.windowSize);
    // Hann's window sums to size / 2; the scale of 2 / Σwindow is folded in.
    for (std::size_t n = 0; n < window_.size(); ++n)
      window_[n] = static_cast<float>(
          (0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / size)) * 4 / size);
    if (options.center) pending_.assign(options.windowSize / 2, 0.0F);
  }

  void push(std::span<const float> signal) {
    samples_ += signal.size();
    pending_.insert(pending_.end(), signal.begin(), signal.end());
    const std::size_t need = options_.windowSize + (kBatch - 1) * options_.hopSize;
    std::size_t start = 0;
    while (pending_.size() >= start + need) {
      emit(start, kBatch);
      start += kBatch * options_.hopSize;
      if (start > pending_.size()) break;
    }
    drop(start);
  }

  void finish() {
    std::size_t total = 0;
    if (options_.center)
      total = (samples_ + options_.hopSize - 1) / options_.hopSize;
    else if (samples_ >= options_.windowSize)
      total = (samples_ - options_.windowSize) / options_.hopSize + 1;
    while (frames_ < total) {
      const std::size_t frames = std::min(kBatch, total - frames_);
      pending_.resize(std::max(pending_.size(), options_.windowSize + (kBatch - 1) * options_.hopSize), 0.0F);
      emit(0, frames);
      drop(frames * options_.hopSize);
    }
  }

 private:
  static constexpr std::size_t kBatch = 16;

  void drop(std::size_t samples) {
    pending_.erase(pending_.begin(),
                   pending_.begin() + static_cast<std::ptrdiff_t>(std::min(samples, pending_.size())));
  }

  void emit(std::size_t start, std::size_t frames) {
    const std::size_t bins = fft_.bins();
    for (std::size_t f = 0; f < frames; ++f) {
      const float* in = pending_.data() + start + f * options_.hopSize;
      for (std::size_t n = 0; n < window_.size(); ++n) windowed_[n] = in[n] * window_[n];
      fft_.forward(windowed_, spectrum_);
      for (std::size_t k = 0; k < bins; ++k) magnitudes_[f * bins + k] = std::sqrt(std::norm(spectrum_[k]));
    }
    frames_ += frames;
    consume_({magnitudes_.data(), frames * bins}, frames);
  }

  StftOptions options_;
  Consumer consume_;
  RealFft fft_;
  std::vector<float> window_, windowed_;
  std::vector<std::complex<float>> spectrum_;
  std::vector<float> magnitudes_, pending_;
  std::size_t samples_ = 0, frames_ = 0;
};

Stft::Stft(const StftOptions& options, Consumer consume) {
  const std::size_t size = options.windowSize;
  if (size < 256 || size > 16384 || (size & (size - 1)) != 0)
    throw Error(ErrorCode::invalidParameter, "The STFT's window is " + std::to_string(size) +
                                                 " samples, expected a power of two from 256 to 16384.");
  if (options.hopSize < 1 || options.hopSize > size)
    throw Error(ErrorCode::invalidParameter, "The STFT's hop is " + std::to_string(options.hopSize) +
                                                 " samples, expected 1 to the window's size.");
  impl_ = std::make_unique<Impl>(options, std::move(consume));
}
Stft::~Stft() = default;
void Stft::push(std::span<const float> signal) {
  impl_->push(signal);
}
void Stft::finish() {
  impl_->finish();
}

}  // namespace tonearm
