#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/simd/kernels.hpp"

namespace tonearm {

// Converts the sample rate of one channel by any ratio: output n lies at n · fromHz / toHz input samples, and
// is the dot product of the input around it with the row of a filter bank for its place between two samples.
// Pass band to 0.9 of the lower Nyquist frequency, stop band (83 dB) from 1.1 of it on.
class Polyphase {
 public:
  Polyphase(int fromHz, int toHz, const simd::Kernels& kernels);
  Polyphase(Polyphase&&) noexcept;
  ~Polyphase();
  // Replaces `out` by the samples that can be computed now.
  void push(std::span<const float> in, std::vector<float>& out);
  // Replaces `out` by the rest: ceil(samples · toHz / fromHz) in all.
  void finish(std::vector<float>& out);

  class Bank;  // the ways to compute outputs

 private:
  void emit(std::uint64_t limit, std::vector<float>& out);

  std::unique_ptr<Bank> bank_;
  std::uint64_t up_, down_;
  std::vector<float> pending_;  // the samples from the first tap of the next output on
  std::uint64_t received_ = 0, emitted_ = 0;
};

}  // namespace tonearm
