#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/simd/kernels.hpp"
#include "core/support/aligned.hpp"

namespace tonearm {

// Halves the sample rate of one channel with a half-band filter: every other coefficient is zero, the
// response is symmetric about a quarter of the input's rate, and output n lies at input sample 2n.
class HalfBand {
 public:
  // `sharp`: pass band to 0.225 of the input's rate, stop band from 0.275 on (81 dB), for the last step down.
  // Otherwise pass band to 0.16, stop band from 0.34 on (85 dB), for steps that a sharper filter follows.
  HalfBand(bool sharp, const simd::Kernels& kernels);
  // Replaces `out` by the samples that can be computed now.
  void push(std::span<const float> in, std::vector<float>& out);
  // Replaces `out` by the rest: ceil(samples / 2) in all.
  void finish(std::vector<float>& out);

 private:
  void append(std::span<const float> in);
  void emit(std::size_t count, std::vector<float>& out);

  const simd::Kernels& kernels_;
  std::vector<float> coefficients_;
  float center_ = 0.5F;
  // Samples yet needed, the odd ones from coefficients_.size() before the even ones.
  AlignedFloats even_, odd_;
  std::size_t received_ = 0, emitted_ = 0;
};

}  // namespace tonearm
