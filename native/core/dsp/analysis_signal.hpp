#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/simd/kernels.hpp"
#include "core/support/audio.hpp"

namespace tonearm {

// Turns decoded blocks into the analysis signal: mean of all channels but the LFE, resampled to
// kAnalysisRateHz with a linear-phase polyphase filter whose delay is removed (sample n of the output is at n
// / kAnalysisRateHz seconds of the input; pass band to 0.9 of the lower Nyquist frequency within ±0.1 dB,
// stop band −80 dB or better from 1.1 times it). Sums to ceil(frames · 22050 / rate) samples at finish().
class AnalysisSignal {
 public:
  using Consumer = std::function<void(std::span<const float> mono)>;  // valid during the call
  AnalysisSignal(const StreamFormat& format, Consumer consume,
                 const simd::Kernels& kernels = simd::kernels());
  ~AnalysisSignal();
  void push(const Block& block);
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
