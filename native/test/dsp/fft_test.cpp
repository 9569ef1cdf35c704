#include "core/dsp/fft.hpp"

#include "check.hpp"
#include "core/support/error.hpp"
#include "signals.hpp"

using namespace tonearm;

namespace {

// The definition, in double, for a few bins.
std::complex<double> dftBin(const std::vector<float>& x, std::size_t k) {
  std::complex<double> sum = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double turns = static_cast<double>(n * k % x.size()) / static_cast<double>(x.size());
    sum += static_cast<double>(x[n]) * std::polar(1.0, -2 * std::numbers::pi * turns);
  }
  return sum;
}

}  // namespace

TEST("the spectrum is the discrete Fourier transform at every size") {
  for (std::size_t size = 16; size <= 65536; size *= 2) {
    const std::vector<float> signal = signals::noise(size, size);
    RealFft fft(size);
    std::vector<std::complex<float>> spectrum(fft.bins());
    fft.forward(signal, spectrum);
    const double tolerance =
        1e-6 * std::sqrt(static_cast<double>(size)) * std::log2(static_cast<double>(size));
    const std::size_t step =
        size <= 2048 ? 1 : size / 256 - 1;  // all bins, or about 130 of them, odd and even
    for (std::size_t k = 0; k < fft.bins(); k += step) {
      const std::complex<double> expected = dftBin(signal, k);
      CHECK_NEAR(spectrum[k].real(), expected.real(), tolerance);
      CHECK_NEAR(spectrum[k].imag(), expected.imag(), tolerance);
    }
    CHECK_NEAR(spectrum[size / 2].real(), dftBin(signal, size / 2).real(), tolerance);
    CHECK(spectrum[0].imag() == 0 && spectrum[size / 2].imag() == 0);
  }
}

TEST("the inverse of the spectrum is the signal at every size") {
  for (std::size_t size = 16; size <= 65536; size *= 2) {
    const std::vector<float> signal = signals::noise(size, size);
    RealFft fft(size);
    std::vector<std::complex<float>> spectrum(fft.bins());
    std::vector<float> back(size);
    fft.forward(signal, spectrum);
    fft.inverse(spectrum, back);
    for (std::size_t n = 0; n < size; ++n) CHECK_NEAR(back[n], signal[n], 2e-6);
  }
}

TEST("every kernel table gives the same spectrum within 1e-5 of full scale") {
  for (std::size_t size = 16; size <= 65536; size *= 2) {
    const std::vector<float> signal = signals::noise(size);
    RealFft plain(size, simd::genericKernels());
    std::vector<std::complex<float>> expected(plain.bins()), spectrum(plain.bins());
    plain.forward(signal, expected);
    for (const simd::Kernels* table : simd::kernelTables()) {
      RealFft fft(size, *table);
      fft.forward(signal, spectrum);
      for (std::size_t k = 0; k < spectrum.size(); ++k)
        CHECK_NEAR(std::abs(spectrum[k] - expected[k]), 0, 1e-5 * static_cast<double>(size) / 2);
    }
  }
}

TEST("a size that is no power of two from 16 to 65536 is refused") {
  for (const std::size_t size : {0, 8, 15, 1000, 131072})
    CHECK_THROWS(ErrorCode::invalidParameter, RealFft{size});
}
