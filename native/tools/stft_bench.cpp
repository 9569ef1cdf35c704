// Times the magnitude STFT against FFTW3f (a planned real transform with a window and a magnitude loop), by
// turns in one run, and prints one JSON object a size. Built only where fftw3f is found.
//
//   stft_bench [seconds of signal, default 60]

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "core/dsp/stft.hpp"
#include "core/support/audio.hpp"
#include "cpu_time.hpp"

namespace {

// The usual way, frame by frame.
class FftwStft {
 public:
  explicit FftwStft(std::size_t size)
      : window_(size),
        in_(fftwf_alloc_real(size)),
        out_(fftwf_alloc_complex(size / 2 + 1)),
        plan_(fftwf_plan_dft_r2c_1d(static_cast<int>(size), in_, out_, FFTW_MEASURE)) {
    for (std::size_t n = 0; n < size; ++n)
      window_[n] = static_cast<float>(
          (0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(size))) *
          4 / static_cast<double>(size));
  }
  FftwStft(const FftwStft&) = delete;
  ~FftwStft() {
    fftwf_destroy_plan(plan_);
    fftwf_free(in_);
    fftwf_free(out_);
  }
  void frame(const float* signal, float* magnitudes) {
    for (std::size_t n = 0; n < window_.size(); ++n) in_[n] = signal[n] * window_[n];
    fftwf_execute(plan_);
    for (std::size_t k = 0; k <= window_.size() / 2; ++k)
      magnitudes[k] = std::sqrt(out_[k][0] * out_[k][0] + out_[k][1] * out_[k][1]);
  }

 private:
  std::vector<float> window_;
  float* in_;
  fftwf_complex* out_;
  fftwf_plan plan_;
};

void measure(std::size_t size, const std::vector<float>& signal) {
  constexpr std::size_t kHop = 441;
  FftwStft fftw(size);
  std::vector<float> magnitudes(size / 2 + 1);
  double ours = 1e30, theirs = 1e30;
  float sink = 0;
  for (int round = 0; round < 12; ++round) {
    std::size_t frames = 0;
    tonearm::Stft stft({size, kHop, false}, [&](std::span<const float> values, std::size_t count) {
      sink += values[3];
      frames += count;
    });
    const double start = cpuSeconds();
    for (std::size_t n = 0; n < signal.size(); n += 4096)
      stft.push({signal.data() + n, std::min<std::size_t>(4096, signal.size() - n)});
    stft.finish();
    ours = std::min(ours, (cpuSeconds() - start) * 1e6 / static_cast<double>(frames));

    const double again = cpuSeconds();
    frames = 0;
    for (std::size_t n = 0; n + size <= signal.size(); n += kHop, ++frames) {
      fftw.frame(signal.data() + n, magnitudes.data());
      sink += magnitudes[3];
    }
    theirs = std::min(theirs, (cpuSeconds() - again) * 1e6 / static_cast<double>(frames));
  }
  std::printf(
      "{\"window\": %zu, \"ours_us_per_frame\": %.3f, \"fftw_us_per_frame\": %.3f, \"ratio\": %.3f, "
      "\"simd\": \"%s\"}\n",
      size, ours, theirs, ours / theirs, tonearm::simd::kernels().name);
  if (std::isnan(sink)) std::puts("the magnitudes are not numbers");
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  std::vector<float> signal(static_cast<std::size_t>(seconds * tonearm::kAnalysisRateHz));
  for (std::size_t n = 0; n < signal.size(); ++n)
    signal[n] = static_cast<float>(std::sin(static_cast<double>(n) * static_cast<double>(n) * 1e-6));
  for (const std::size_t size : {1024, 2048, 8192}) measure(size, signal);
}
