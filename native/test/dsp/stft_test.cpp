#include "core/dsp/stft.hpp"

#include <algorithm>
#include <complex>

#include "check.hpp"
#include "core/support/error.hpp"
#include "signals.hpp"

using namespace tonearm;

namespace {

struct Result {
  std::vector<float> magnitudes;
  std::size_t frames = 0;
};

Result analyse(const StftOptions& options, const std::vector<float>& signal, std::size_t blockSize,
               const simd::Kernels& kernels = simd::kernels()) {
  Result result;
  Stft stft(
      options,
      [&](std::span<const float> magnitudes, std::size_t frames) {
        CHECK(magnitudes.size() == frames * (options.windowSize / 2 + 1));
        result.magnitudes.insert(result.magnitudes.end(), magnitudes.begin(), magnitudes.end());
        result.frames += frames;
      },
      kernels);
  for (std::size_t start = 0; start < signal.size(); start += blockSize)
    stft.push({signal.data() + start, std::min(blockSize, signal.size() - start)});
  stft.finish();
  return result;
}

// The definition, in double.
double naiveMagnitude(const StftOptions& options, const std::vector<float>& signal, std::size_t frame,
                      std::size_t bin) {
  const std::size_t size = options.windowSize;
  std::complex<double> sum = 0;
  double windowSum = 0;
  for (std::size_t n = 0; n < size; ++n) {
    const double angle = 2 * std::numbers::pi / static_cast<double>(size);
    const double window = 0.5 - 0.5 * std::cos(angle * static_cast<double>(n));
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(frame * options.hopSize + n) -
                              static_cast<std::ptrdiff_t>(options.center ? size / 2 : 0);
    windowSum += window;
    if (at >= 0 && at < static_cast<std::ptrdiff_t>(signal.size()))
      sum += window * static_cast<double>(signal[static_cast<std::size_t>(at)]) *
             std::polar(1.0, -angle * static_cast<double>(n * bin % size));
  }
  return 2 / windowSum * std::abs(sum);
}

}  // namespace

TEST("every magnitude is that of the windowed Fourier transform, centred or not") {
  for (const bool center : {true, false})
    for (const std::size_t size : {256, 512, 1024, 2048, 4096, 8192, 16384}) {
      const StftOptions options{size, size / 3, center};
      const std::vector<float> signal = signals::noise(size * 7 + 11, size);
      const Result result = analyse(options, signal, signal.size());
      const std::size_t bins = size / 2 + 1, step = size / 128 + 1;
      for (std::size_t frame = 0; frame < result.frames; ++frame)
        for (std::size_t bin = frame % step; bin < bins; bin += size <= 512 ? 1 : 2 * step)
          CHECK_NEAR(result.magnitudes[frame * bins + bin], naiveMagnitude(options, signal, frame, bin),
                     3e-7);
      CHECK_NEAR(result.magnitudes[bins - 1], naiveMagnitude(options, signal, 0, bins - 1), 3e-7);
    }
}

TEST("a full-scale sine on a bin reads 1") {
  const StftOptions options{2048, 441, true};
  const Result result = analyse(options, signals::sine(22050, 100 * 22050.0 / 2048, 22050), 22050);
  CHECK_NEAR(result.magnitudes[20 * 1025 + 100], 1.0, 1e-6);
  CHECK_NEAR(result.magnitudes[20 * 1025 + 300], 0.0, 1e-6);
}

TEST("centred there are ceil(samples / hop) frames, else as many as fit") {
  for (const std::size_t samples : {0, 1, 219, 220, 221, 1023, 1024, 1243, 1244, 5000, 9999}) {
    const std::vector<float> signal = signals::noise(samples);
    CHECK(analyse({1024, 220, true}, signal, 1000).frames == (samples + 219) / 220);
    CHECK(analyse({1024, 220, false}, signal, 1000).frames ==
          (samples < 1024 ? 0 : (samples - 1024) / 220 + 1));
  }
}

TEST("the frames do not depend on how the signal is cut into blocks, to the bit") {
  for (const bool center : {true, false}) {
    const StftOptions options{1024, 220, center};
    const std::vector<float> signal = signals::noise(30011);
    const Result whole = analyse(options, signal, signal.size());
    for (const std::size_t blockSize : {1, 7, 1024, 10000}) {
      const Result parts = analyse(options, signal, blockSize);
      CHECK(parts.frames == whole.frames);
      CHECK(parts.magnitudes == whole.magnitudes);
    }
  }
}

TEST("a window or a hop out of range is refused") {
  for (const StftOptions options : {StftOptions{128, 64}, {1000, 220}, {32768, 220}, {1024, 0}, {1024, 1025}})
    CHECK_THROWS(ErrorCode::invalidParameter, Stft(options, [](std::span<const float>, std::size_t) {}));
}

TEST("every kernel table gives the same magnitudes within 1e-5 of full scale") {
  for (const std::size_t size : {256, 512, 1024, 2048, 4096, 8192, 16384}) {
    const StftOptions options{size, size / 4, true};
    const std::vector<float> signal = signals::noise(size * 9 + 5);
    const Result plain = analyse(options, signal, signal.size(), simd::genericKernels());
    for (const simd::Kernels* table : simd::kernelTables()) {
      const Result other = analyse(options, signal, 1000, *table);
      CHECK(other.magnitudes.size() == plain.magnitudes.size());
      for (std::size_t i = 0; i < plain.magnitudes.size(); ++i)
        CHECK_NEAR(other.magnitudes[i], plain.magnitudes[i], 1e-5);
    }
  }
}
