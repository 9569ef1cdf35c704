#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "core/simd/kernels.hpp"

namespace tonearm {

// Converts planar float audio from one sample rate to another, block by block, with a linear-phase polyphase
// filter whose delay is removed: output sample n lies at n / toHz seconds of the input, and the output of
// `frames` input frames is exactly ceil(frames · toHz / fromHz) long. Pass band: 0 to 0.9 of the lower
// Nyquist frequency within ±0.1 dB; stop band: −80 dB or better from 1.1 times that frequency (what falls
// between folds above the pass band). Outside its ends the signal counts as zero. The output does not depend
// on how the input is cut into blocks.
class Resampler {
 public:
  // Called with as many pointers as channels, each to `frames` samples; valid during the call.
  using Consumer = std::function<void(std::span<const float* const> channels, std::size_t frames)>;
  // Rates 1000–768000 Hz, channels 1–64, else Error{invalidParameter}.
  Resampler(int fromHz, int toHz, std::size_t channels, Consumer consume,
            const simd::Kernels& kernels = simd::kernels());
  ~Resampler();
  void push(std::span<const float* const> channels, std::size_t frames);
  void finish();  // flushes the end; push nothing after it

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
