// Time of the analysis signal (downmix and resampling to 22050 Hz) for 240 s of stereo at several rates, in
// blocks of 4096 frames; one JSON object a rate.

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/dsp/analysis_signal.hpp"
#include "cpu_time.hpp"

int main() {
  constexpr std::size_t kFrames = 4096;
  std::vector<float> left(kFrames), right(kFrames);
  for (std::size_t n = 0; n < kFrames; ++n) left[n] = right[n] = static_cast<float>(n % 100) * 0.01F;
  const float* const channels[2] = {left.data(), right.data()};
  for (const int rate : {44100, 48000, 88200, 96000, 192000, 32000, 16000, 44056}) {
    double best = 1e30;
    float sink = 0;
    for (int round = 0; round < 7; ++round) {
      tonearm::AnalysisSignal stage({rate, {tonearm::ChannelRole::main, tonearm::ChannelRole::main}},
                                    [&](std::span<const float> mono) { sink += mono.empty() ? 0 : mono[0]; });
      const double start = cpuSeconds();
      for (std::size_t n = 0; n < static_cast<std::size_t>(rate) * 240; n += kFrames)
        stage.push({channels, kFrames});
      stage.finish();
      best = std::min(best, (cpuSeconds() - start) * 1e3);
    }
    std::printf("{\"rate_hz\": %d, \"ms_for_240_s\": %.2f, \"simd\": \"%s\"}\n", rate, best,
                tonearm::simd::kernels().name);
    if (sink != sink) std::puts("the signal is no number");
  }
}
