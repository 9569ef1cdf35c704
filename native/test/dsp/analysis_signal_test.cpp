#include "core/dsp/analysis_signal.hpp"

#include <algorithm>

#include "check.hpp"
#include "signals.hpp"

using namespace tonearm;

namespace {

std::vector<float> analysisSignal(const StreamFormat& format, const std::vector<std::vector<float>>& channels,
                                  std::size_t blockSize) {
  std::vector<float> output;
  AnalysisSignal stage(
      format, [&](std::span<const float> mono) { output.insert(output.end(), mono.begin(), mono.end()); });
  const std::size_t frames = channels[0].size();
  for (std::size_t start = 0; start < frames; start += blockSize) {
    std::vector<const float*> pointers;
    for (const auto& channel : channels) pointers.push_back(channel.data() + start);
    stage.push({pointers, std::min(blockSize, frames - start)});
  }
  stage.finish();
  return output;
}

constexpr auto kMain = ChannelRole::main;
constexpr auto kSurround = ChannelRole::surround;
constexpr auto kLfe = ChannelRole::lowFrequency;

}  // namespace

TEST("the mix is the mean of all channels but the LFE, surrounds unweighted") {
  const std::vector<float> tone = signals::sine(44100, 440, 44100), loud(44100, 1.0F), silent(44100, 0.0F);
  const auto output = analysisSignal({44100, {kMain, kMain, kMain, kLfe, kSurround, kSurround}},
                                     {tone, silent, silent, loud, tone, silent}, 4096);
  CHECK(output.size() == 22050);
  for (std::size_t n = 1000; n < 21000; ++n)
    CHECK_NEAR(output[n], 0.4 * std::sin(2 * std::numbers::pi * 440 * static_cast<double>(n) / 22050), 1e-3);
}

TEST("a click stays where it was in time at every rate") {
  for (const int rate :
       {8000, 11025, 16000, 22050, 32000, 37800, 44056, 44100, 48000, 88200, 96000, 192000}) {
    std::vector<float> click(static_cast<std::size_t>(rate), 0.0F);
    click[static_cast<std::size_t>(rate / 10 * 3)] = 1.0F;
    const auto output = analysisSignal({rate, {kMain}}, {click}, 1000);
    CHECK(output.size() == 22050);
    const double expected = rate / 10 * 3 * 22050.0 / rate;
    CHECK_NEAR(std::max_element(output.begin(), output.end()) - output.begin(), expected, 0.51);
  }
}

TEST("the signal does not depend on how the stream is cut into blocks, to the bit") {
  for (const int rate : {44100, 48000, 44056, 16000, 192000}) {
    const std::vector<std::vector<float>> channels{signals::noise(20011, 1), signals::noise(20011, 2)};
    const StreamFormat format{rate, {kMain, kMain}};
    const auto whole = analysisSignal(format, channels, 20011);
    for (const std::size_t blockSize : {1, 7, 10000})
      CHECK(analysisSignal(format, channels, blockSize) == whole);
  }
}

TEST("a stream of only a low-frequency channel is still heard") {
  const auto output = analysisSignal({22050, {kLfe}}, {std::vector<float>(4000, 0.25F)}, 4000);
  CHECK_NEAR(output[2000], 0.25, 1e-5);
}
