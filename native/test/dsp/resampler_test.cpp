#include "core/dsp/resampler.hpp"

#include <algorithm>

#include "check.hpp"
#include "core/support/error.hpp"
#include "signals.hpp"

using namespace tonearm;

namespace {

using Planes = std::vector<std::vector<float>>;

Planes resample(int fromHz, int toHz, const Planes& input, std::size_t blockSize,
                const simd::Kernels& kernels = simd::kernels()) {
  Planes output(input.size());
  const auto collect = [&](std::span<const float* const> channels, std::size_t frames) {
    for (std::size_t c = 0; c < output.size(); ++c)
      output[c].insert(output[c].end(), channels[c], channels[c] + frames);
  };
  Resampler resampler(fromHz, toHz, input.size(), collect, kernels);
  for (std::size_t start = 0; start < input[0].size(); start += blockSize) {
    std::vector<const float*> pointers;
    for (const auto& plane : input) pointers.push_back(plane.data() + start);
    resampler.push(pointers, std::min(blockSize, input[0].size() - start));
  }
  resampler.finish();
  return output;
}

std::vector<float> resample(int fromHz, int toHz, const std::vector<float>& input) {
  return resample(fromHz, toHz, Planes{input}, input.size())[0];
}

// Amplitude at a frequency, of the middle of a signal, through a Blackman-Harris window (side lobes below −92
// dB).
double amplitude(const std::vector<float>& x, double frequencyHz, double rateHz) {
  const std::size_t margin = x.size() / 8, size = x.size() - 2 * margin;
  double re = 0, im = 0, sum = 0;
  for (std::size_t n = 0; n < size; ++n) {
    const double a = 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(size);
    const double w = 0.35875 - 0.48829 * std::cos(a) + 0.14128 * std::cos(2 * a) - 0.01168 * std::cos(3 * a);
    const double turn = 2 * std::numbers::pi * frequencyHz * static_cast<double>(n + margin) / rateHz;
    re += w * static_cast<double>(x[n + margin]) * std::cos(turn);
    im += w * static_cast<double>(x[n + margin]) * std::sin(turn);
    sum += w;
  }
  return 2 * std::hypot(re, im) / sum;
}

double rms(const std::vector<float>& x) {
  const std::size_t margin = x.size() / 8;
  double sum = 0;
  for (std::size_t n = margin; n < x.size() - margin; ++n)
    sum += static_cast<double>(x[n]) * static_cast<double>(x[n]);
  return std::sqrt(sum / static_cast<double>(x.size() - 2 * margin));
}

const std::vector<std::pair<int, int>> kRates = {
    {8000, 22050},  {11025, 22050}, {12000, 22050}, {16000, 22050},  {22050, 22050},
    {24000, 22050}, {32000, 22050}, {37800, 22050}, {44056, 22050},  {44100, 22050},
    {48000, 22050}, {88200, 22050}, {96000, 22050}, {176400, 22050}, {192000, 22050},
    {22050, 44100}, {44100, 48000}, {48000, 44100}, {44100, 16000},  {44100, 44101}};

}  // namespace

TEST("a sine in the pass band keeps its level within 0.1 dB and its place in time") {
  for (const auto& [from, to] : kRates)
    for (const double part : {0.01, 0.3, 0.7, 0.9}) {
      const double frequencyHz = part * 0.5 * std::min(from, to);
      const std::vector<float> output =
          resample(from, to, signals::sine(static_cast<std::size_t>(from) / 2, frequencyHz, from));
      double worst = 0;
      for (std::size_t n = output.size() / 4; n < output.size() * 3 / 4; ++n)
        worst = std::max(
            worst, std::abs(static_cast<double>(output[n]) -
                            std::sin(2 * std::numbers::pi * frequencyHz * static_cast<double>(n) / to)));
      CHECK_NEAR(worst, 0, 0.0115);  // 0.1 dB of full scale
      CHECK_NEAR(20 * std::log10(amplitude(output, frequencyHz, to)), 0, 0.1);
    }
}

TEST("what lies in the stop band comes out 80 dB lower") {
  for (const auto& [from, to] : kRates)
    for (const double part : {1.1, 1.13, 1.3, 2.1, 3.3}) {
      const double frequencyHz = part * 0.5 * std::min(from, to);
      if (from <= to || frequencyHz > 0.49 * from) continue;
      const std::vector<float> output =
          resample(from, to, signals::sine(static_cast<std::size_t>(from) / 2, frequencyHz, from));
      CHECK_NEAR(20 * std::log10(rms(output) * std::numbers::sqrt2 + 1e-9), -120, 40);
    }
}

TEST("raising the rate leaves no image above -80 dB") {
  for (const auto& [from, to] : kRates) {
    if (from >= to || to < from * 5 / 4) continue;
    const std::vector<float> output =
        resample(from, to, signals::sine(static_cast<std::size_t>(from), 0.4 * from, from));
    CHECK_NEAR(20 * std::log10(amplitude(output, 0.6 * from, to) + 1e-9), -130, 50);
  }
}

TEST("a constant keeps its value") {
  for (const auto& [from, to] : kRates) {
    const std::vector<float> output = resample(from, to, std::vector<float>(8000, 0.5F));
    for (std::size_t n = output.size() / 4; n < output.size() * 3 / 4; ++n) CHECK_NEAR(output[n], 0.5, 1e-4);
  }
}

TEST("the output is exactly ceil(frames · to / from) long") {
  for (const auto& [from, to] : kRates)
    for (const std::size_t frames : {0, 1, 2, 3, 147, 1000, 4099}) {
      const std::size_t expected =
          (frames * static_cast<std::size_t>(to) + static_cast<std::size_t>(from) - 1) /
          static_cast<std::size_t>(from);
      CHECK(resample(from, to, std::vector<float>(frames, 1.0F)).size() == expected);
    }
}

TEST("the output does not depend on how the input is cut into blocks, to the bit") {
  for (const auto& [from, to] : kRates) {
    const Planes input{signals::noise(11003, 1), signals::noise(11003, 2)};
    const Planes whole = resample(from, to, input, 11003);
    for (const std::size_t blockSize : {1, 7, 10000}) CHECK(resample(from, to, input, blockSize) == whole);
    CHECK(resample(from, to, Planes{input[1]}, 500)[0] == whole[1]);
  }
}

TEST("every kernel table gives the same output within 1e-5, and its own is independent of the blocks") {
  for (const auto& [from, to] : kRates) {
    const Planes input{signals::noise(7001)};
    const Planes plain = resample(from, to, input, 7001, simd::genericKernels());
    for (const simd::Kernels* table : simd::kernelTables()) {
      const Planes other = resample(from, to, input, 7001, *table);
      CHECK(resample(from, to, input, 97, *table) == other);
      CHECK(other[0].size() == plain[0].size());
      for (std::size_t n = 0; n < plain[0].size(); ++n) CHECK_NEAR(other[0][n], plain[0][n], 1e-5);
    }
  }
}

TEST("a rate or channel count out of range is refused") {
  const auto consume = [](std::span<const float* const>, std::size_t) {};
  CHECK_THROWS(ErrorCode::invalidParameter, Resampler(0, 22050, 1, consume));
  CHECK_THROWS(ErrorCode::invalidParameter, Resampler(44100, 1000000, 1, consume));
  CHECK_THROWS(ErrorCode::invalidParameter, Resampler(44100, 22050, 0, consume));
}
