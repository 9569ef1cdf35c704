#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>

#include "core/simd/kernels.hpp"

namespace tonearm {

// Discrete Fourier transform of real signals, single precision, no scaling in the forward direction
// (X[k] = Σ x[n] e^(−2πikn/N)); inverse(forward(x)) = x.
// Sizes: powers of two from 16 to 65536, else Error{invalidParameter}. One object may be used by one thread
// at a time.
class RealFft {
 public:
  explicit RealFft(std::size_t size, const simd::Kernels& kernels = simd::kernels());
  ~RealFft();
  std::size_t size() const noexcept;
  std::size_t bins() const noexcept { return size() / 2 + 1; }
  void forward(std::span<const float> signal, std::span<std::complex<float>> spectrum);
  void inverse(std::span<const std::complex<float>> spectrum, std::span<float> signal);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
