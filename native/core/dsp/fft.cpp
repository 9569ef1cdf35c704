#include "core/dsp/fft.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/support/aligned.hpp"
#include "core/support/error.hpp"

namespace tonearm {

namespace {

using Complex = std::complex<float>;

// e^(−2πi·k/n), computed in double.
Complex root(std::size_t k, std::size_t n) {
  const double angle = -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

// std::complex's operator* checks for NaN and infinity; this is the plain product.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

// A transform of N real samples is one of N/2 complex ones (even samples real, odd samples imaginary) and a
// pass that separates the two spectra.
class RealFft::Impl {
 public:
  Impl(std::size_t size, const simd::Kernels& kernels)
      : size_(size), half_(size / 2), kernels_(kernels), data_(size), work_(size) {
    for (std::size_t k = 0; k < half_; ++k) splitRoots_.push_back(root(k, size));
    for (std::size_t k = 0; k < half_; ++k) {
      const Complex w = root(k, half_);
      roots_.insert(roots_.end(), {w.real(), w.imag()});
    }
    for (std::size_t j = 1; j < 4; ++j) {
      for (std::size_t p = 0; p < half_ / 4; ++p) firstRoots_.push_back(root(p * j, half_).real());
      for (std::size_t p = 0; p < half_ / 4; ++p) firstRoots_.push_back(root(p * j, half_).imag());
    }
    tables_ = {half_, roots_.data(), firstRoots_.data()};
  }

  std::size_t size() const { return size_; }

  void forward(const float* signal, Complex* spectrum) {
    kernels_.deinterleave(signal, data_.data(), data_.data() + half_, half_);
    const float* re = kernels_.fft(tables_, data_.data(), work_.data());
    const float* im = re + half_;
    spectrum[0] = {re[0] + im[0], 0.0F};
    spectrum[half_] = {re[0] - im[0], 0.0F};
    for (std::size_t k = 1, m = half_ - 1; k <= m; ++k, --m) {
      const Complex even{0.5F * (re[k] + re[m]), 0.5F * (im[k] - im[m])};
      const Complex odd = times({0.5F * (im[k] + im[m]), 0.5F * (re[m] - re[k])}, splitRoots_[k]);
      spectrum[k] = {even.real() + odd.real(), even.imag() + odd.imag()};
      spectrum[m] = {even.real() - odd.real(), odd.imag() - even.imag()};
    }
  }

  // The inverse transform is the forward one with the real and imaginary parts in each other's place.
  void inverse(const Complex* spectrum, float* signal) {
    const float scale = 1.0F / static_cast<float>(size_);
    float *re = data_.data() + half_, *im = data_.data();
    re[0] = scale * (spectrum[0].real() + spectrum[half_].real());
    im[0] = scale * (spectrum[0].real() - spectrum[half_].real());
    for (std::size_t k = 1, m = half_ - 1; k <= m; ++k, --m) {
      const Complex a = spectrum[k], b = spectrum[m];
      const Complex even{scale * (a.real() + b.real()), scale * (a.imag() - b.imag())};
      const Complex odd =
          times({scale * (a.real() - b.real()), scale * (a.imag() + b.imag())}, std::conj(splitRoots_[k]));
      re[k] = even.real() - odd.imag();
      im[k] = even.imag() + odd.real();
      re[m] = even.real() + odd.imag();
      im[m] = odd.real() - even.imag();
    }
    const float* result = kernels_.fft(tables_, data_.data(), work_.data());
    for (std::size_t n = 0; n < half_; ++n) {
      signal[2 * n] = result[half_ + n];
      signal[2 * n + 1] = result[n];
    }
  }

 private:
  std::size_t size_, half_;
  const simd::Kernels& kernels_;
  std::vector<Complex> splitRoots_;
  AlignedFloats roots_, firstRoots_, data_, work_;
  simd::FftTables tables_;
};

RealFft::RealFft(std::size_t size, const simd::Kernels& kernels) {
  if (size < 16 || size > 65536 || (size & (size - 1)) != 0)
    throw Error(ErrorCode::invalidParameter,
                "The FFT size is " + std::to_string(size) + ", expected a power of two from 16 to 65536.");
  impl_ = std::make_unique<Impl>(size, kernels);
}
RealFft::~RealFft() = default;
std::size_t RealFft::size() const noexcept {
  return impl_->size();
}

void RealFft::forward(std::span<const float> signal, std::span<Complex> spectrum) {
  if (signal.size() != size() || spectrum.size() != bins())
    throw Error(ErrorCode::internalError,
                "RealFft: the signal or the spectrum has another length than the FFT.");
  impl_->forward(signal.data(), spectrum.data());
}

void RealFft::inverse(std::span<const Complex> spectrum, std::span<float> signal) {
  if (signal.size() != size() || spectrum.size() != bins())
    throw Error(ErrorCode::internalError,
                "RealFft: the signal or the spectrum has another length than the FFT.");
  impl_->inverse(spectrum.data(), signal.data());
}

}  // namespace tonearm
