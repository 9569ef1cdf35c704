#include "core/dsp/fft.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

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
// pass that separates the two spectra. The complex transform is a radix-2 Stockham autosort FFT.
class RealFft::Impl {
 public:
  explicit Impl(std::size_t size) : size_(size), half_(size / 2), roots_(half_), data_(half_), work_(half_) {
    for (std::size_t k = 0; k < half_; ++k) roots_[k] = root(k, size);
  }

  std::size_t size() const { return size_; }

  void forward(const float* signal, Complex* spectrum) {
    for (std::size_t n = 0; n < half_; ++n) data_[n] = {signal[2 * n], signal[2 * n + 1]};
    transform();
    spectrum[0] = {data_[0].real() + data_[0].imag(), 0.0F};
    spectrum[half_] = {data_[0].real() - data_[0].imag(), 0.0F};
    for (std::size_t k = 1; k < half_; ++k) {
      const Complex a = data_[k], b = std::conj(data_[half_ - k]);
      const Complex even = 0.5F * (a + b), difference = 0.5F * (a - b);
      const Complex odd{difference.imag(), -difference.real()};  // difference / i
      spectrum[k] = even + times(odd, roots_[k]);
    }
  }

  // The inverse by the forward transform of the conjugate.
  void inverse(const Complex* spectrum, float* signal) {
    for (std::size_t k = 0; k < half_; ++k) {
      const Complex a = k == 0 ? Complex(spectrum[0].real()) : spectrum[k];
      const Complex b = k == 0 ? Complex(spectrum[half_].real()) : std::conj(spectrum[half_ - k]);
      const Complex even = a + b, odd = times(a - b, std::conj(roots_[k]));
      data_[k] = std::conj(Complex{even.real() - odd.imag(), even.imag() + odd.real()});
    }
    transform();
    const float scale = 1.0F / static_cast<float>(size_);
    for (std::size_t n = 0; n < half_; ++n) {
      signal[2 * n] = data_[n].real() * scale;
      signal[2 * n + 1] = -data_[n].imag() * scale;
    }
  }

 private:
  void transform() {
    for (std::size_t length = half_, stride = 1; length > 1; length /= 2, stride *= 2) {
      const std::size_t m = length / 2;
      for (std::size_t p = 0; p < m; ++p) {
        const Complex w = roots_[2 * p * stride];
        for (std::size_t q = 0; q < stride; ++q) {
          const Complex a = data_[q + stride * p], b = data_[q + stride * (p + m)];
          work_[q + stride * 2 * p] = a + b;
          work_[q + stride * (2 * p + 1)] = times(a - b, w);
        }
      }
      std::swap(data_, work_);
    }
  }

  std::size_t size_, half_;
  std::vector<Complex> roots_, data_, work_;
};

RealFft::RealFft(std::size_t size) {
  if (size < 16 || size > 65536 || (size & (size - 1)) != 0)
    throw Error(ErrorCode::invalidParameter,
                "The FFT size is " + std::to_string(size) + ", expected a power of two from 16 to 65536.");
  impl_ = std::make_unique<Impl>(size);
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
