#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/simd/kernels.hpp"
#include "core/support/aligned.hpp"

namespace tonearm {

// Converts the sample rate of one channel by any ratio: output n lies at n · fromHz / toHz input samples, and
// is the dot product of the input around it with the row of a filter bank for its place between two samples.
// There is a row for every place that occurs, or, where they are too many, 512, and rows between are
// interpolated (the error is −106 dB). Pass band to 0.9 of the lower Nyquist frequency, stop band (83 dB)
// from 1.1 of it on.
class Polyphase {
 public:
  Polyphase(int fromHz, int toHz, const simd::Kernels& kernels);
  // Replaces `out` by the samples that can be computed now.
  void push(std::span<const float> in, std::vector<float>& out);
  // Replaces `out` by the rest: ceil(samples · toHz / fromHz) in all.
  void finish(std::vector<float>& out);

 private:
  void emit(std::uint64_t limit, std::vector<float>& out);

  const simd::Kernels& kernels_;
  simd::Polyphase filter_;
  AlignedFloats bank_;
  std::vector<float> pending_;  // the samples from that of the next output's first tap on
  std::uint64_t position_ = 0;  // of the next output in `pending_`, in input samples / up
  std::uint64_t received_ = 0, emitted_ = 0;
};

}  // namespace tonearm
