#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "core/simd/kernels.hpp"

namespace tonearm {

struct StftOptions {
  std::size_t windowSize = 1024;  // also the FFT size; power of two 256–16384
  std::size_t hopSize = 220;      // 1 to windowSize
  bool center = true;  // frame k is centred on sample k·hop (zeros before the start and after the end)
};

// Streaming magnitude STFT with a periodic Hann window, for the spectral stages. Magnitudes are scaled by
// 2/Σwindow, so a full-scale sine on a bin reads 1.0. Frames are computed in batches of SIMD lanes, several
// frames at once (see core/simd), so the consumer is called with runs of frames.
class Stft {
 public:
  // `consume(magnitudes, frames)`: row-major, `frames` rows of `windowSize/2 + 1` values; valid during the
  // call.
  using Consumer = std::function<void(std::span<const float> magnitudes, std::size_t frames)>;
  Stft(const StftOptions& options, Consumer consume, const simd::Kernels& kernels = simd::kernels());
  ~Stft();
  void push(std::span<const float> signal);
  // Flushes: with center, ceil(total / hop) frames in all, else as many as lie wholly in the signal.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
