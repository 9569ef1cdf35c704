#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "core/loudness/gate.hpp"
#include "core/loudness/k_weighting.hpp"
#include "core/support/error.hpp"
#include "loudness/measure.hpp"

using namespace tonearm;
using signals::format, signals::measure, signals::measureStereo, signals::noise;

namespace {

// Noise whose level wanders over 60 dB in steps of 0.2 s.
std::vector<float> wanderingNoise(int rateHz, double seconds, std::uint32_t seed) {
  std::vector<float> signal = noise(static_cast<std::size_t>(rateHz * seconds), 1.0f, seed);
  for (std::size_t n = 0; n < signal.size(); ++n) {
    const double step = std::floor(5.0 * double(n) / rateHz);
    signal[n] *= static_cast<float>(signals::amplitude(-30.0 + 30.0 * std::sin(1.3 * step + seed)));
  }
  return signal;
}

// The meter as the standards write it: every sample through the filter, every window summed anew.
Loudness slowMeter(int rateHz, const std::vector<std::vector<float>>& channels) {
  std::vector<double> power(channels[0].size(), 0.0);
  for (const auto& channel : channels) {
    const KWeighting filter = kWeighting(rateHz);
    KWeightingState state{};
    for (std::size_t n = 0; n < channel.size(); ++n) {
      const double y = kWeightingStep(filter, state, static_cast<double>(channel[n]));
      power[n] += y * y;
    }
  }
  const auto at = [rateHz](std::size_t step10ms) {
    return std::size_t(std::floor(double(step10ms) * rateHz / 100.0 + 0.5));
  };
  const auto windows = [&](std::size_t length, std::size_t step) {
    std::vector<double> means;
    for (std::size_t end = length; at(end) <= power.size(); end += step) {
      double sum = 0.0;
      for (std::size_t n = at(end - length); n < at(end); ++n) sum += power[n];
      means.push_back(sum / double(at(end) - at(end - length)));
    }
    return means;
  };
  Loudness result;
  result.integratedLufs = integratedLoudness(windows(40, 10));
  result.loudnessRangeLu = loudnessRange(windows(300, 10));
  const auto momentary = windows(40, 1), shortTerm = windows(300, 1);
  result.maxMomentaryLufs = lufs(*std::max_element(momentary.begin(), momentary.end()));
  result.maxShortTermLufs = lufs(*std::max_element(shortTerm.begin(), shortTerm.end()));
  return result;
}

bool same(const Loudness& a, const Loudness& b) {
  return a.integratedLufs == b.integratedLufs && a.loudnessRangeLu == b.loudnessRangeLu &&
         a.maxMomentaryLufs == b.maxMomentaryLufs && a.maxShortTermLufs == b.maxShortTermLufs &&
         a.truePeakDbtp == b.truePeakDbtp && a.samplePeakDbfs == b.samplePeakDbfs &&
         a.momentaryLufs == b.momentaryLufs && a.shortTermLufs == b.shortTermLufs;
}

bool is(const char* reason, std::string_view expected) {
  return reason != nullptr && reason == expected;
}

}  // namespace

TEST("at 48 kHz the filter has the coefficients that BS.1770 prints") {
  const KWeighting f = kWeighting(48000);
  CHECK_NEAR(f.b0, 1.53512485958697, 1e-12);
  CHECK_NEAR(f.b1, -2.69169618940638, 1e-12);
  CHECK_NEAR(f.b2, 1.19839281085285, 1e-12);
  CHECK_NEAR(f.a1, -1.69065929318241, 1e-12);
  CHECK_NEAR(f.a2, 0.73248077421585, 1e-12);
  CHECK_NEAR(f.c1, -1.99004745483398, 1e-12);
  CHECK_NEAR(f.c2, 0.99007225036621, 1e-12);
}

TEST("readings equal those of a slow meter at every kind of rate") {
  for (const int rateHz : {8000, 11025, 22050, 44100, 48000, 192000}) {
    const std::vector<std::vector<float>> channels = {wanderingNoise(rateHz, 7.31, 1),
                                                      wanderingNoise(rateHz, 7.31, 2)};
    const Loudness slow = slowMeter(rateHz, channels);
    const Loudness fast = measure(format(rateHz), {&channels[0], &channels[1]});
    CHECK_NEAR(fast.integratedLufs.value_or(1e9), *slow.integratedLufs, 1e-9);
    CHECK_NEAR(fast.loudnessRangeLu.value_or(1e9), *slow.loudnessRangeLu, 1e-9);
    CHECK_NEAR(fast.maxMomentaryLufs.value_or(1e9), *slow.maxMomentaryLufs, 1e-9);
    CHECK_NEAR(fast.maxShortTermLufs.value_or(1e9), *slow.maxShortTermLufs, 1e-9);
  }
}

TEST("a large constant offset leaves the reading of a quiet tone as it is") {
  for (const int rateHz : {44100, 192000}) {
    const auto plain = signals::tones(rateHz, {{-60, 10}});
    auto offset = plain;
    for (std::size_t n = 0; n < offset.size(); ++n)  // raised slowly, so that the rise is not heard
      offset[n] += 0.5f * std::min(1.0f, static_cast<float>(n) / static_cast<float>(5 * rateHz));
    const double expected = measureStereo(rateHz, plain, {.timeline = true}).shortTermLufs.back();
    CHECK_NEAR(measureStereo(rateHz, offset, {.timeline = true}).shortTermLufs.back(), expected, 0.01);
  }
}

TEST("no reading depends on how the stream is cut into blocks") {
  for (const int rateHz : {11025, 44100, 48000}) {
    const auto left = wanderingNoise(rateHz, 4.567, 3), right = wanderingNoise(rateHz, 4.567, 4);
    const LoudnessOptions options{.truePeak = true, .timeline = true};
    const Loudness whole =
        measure(format(rateHz), {&left, &right}, options, [&](std::size_t) { return left.size(); });
    for (const std::size_t frames :
         {std::size_t{1}, std::size_t{7}, std::size_t{441}, std::size_t{1152}, std::size_t{3529}}) {
      CHECK(same(whole,
                 measure(format(rateHz), {&left, &right}, options, [&](std::size_t) { return frames; })));
    }
    const auto growing = [](std::size_t done) { return 1 + done * 3 / 7 % 5000; };
    CHECK(same(whole, measure(format(rateHz), {&left, &right}, options, growing)));
  }
}

TEST("silence has no loudness and no peak, and says so") {
  const std::vector<float> silence(48000 * 4, 0.0f);
  const Loudness result = measureStereo(48000, silence, {.timeline = true});
  CHECK(!result.integratedLufs && is(result.integratedReason, "silent"));
  CHECK(!result.loudnessRangeLu && is(result.loudnessRangeReason, "silent"));
  CHECK(!result.maxMomentaryLufs && is(result.momentaryReason, "silent"));
  CHECK(!result.maxShortTermLufs && is(result.shortTermReason, "silent"));
  CHECK(!result.truePeakDbtp && !result.samplePeakDbfs && is(result.peakReason, "silent"));
  CHECK(result.momentaryLufs.size() == 40 && std::isinf(result.momentaryLufs[20]));
}

TEST("what stays below the absolute gate has maxima and peaks but no gated values") {
  const Loudness result = measureStereo(48000, signals::tones(48000, {{-80, 5}}));
  CHECK(!result.integratedLufs && is(result.integratedReason, "silent"));
  CHECK(!result.loudnessRangeLu && is(result.loudnessRangeReason, "silent"));
  CHECK_NEAR(result.maxMomentaryLufs.value_or(1e9), -80.0, 0.1);
  CHECK_NEAR(result.maxShortTermLufs.value_or(1e9), -80.0, 0.1);
  CHECK_NEAR(result.samplePeakDbfs.value_or(1e9), -80.0, 0.1);
}

TEST("audio shorter than a window lacks that window's value") {
  const auto reading = [](double seconds) {
    return measureStereo(44100, signals::tones(44100, {{-20, seconds}}));
  };
  const Loudness tooShort = reading(0.399), momentary = reading(0.4), almost = reading(2.999),
                 whole = reading(3.0);
  CHECK(!tooShort.integratedLufs && is(tooShort.integratedReason, "audio_too_short"));
  CHECK(!tooShort.maxMomentaryLufs && is(tooShort.momentaryReason, "audio_too_short"));
  CHECK(tooShort.truePeakDbtp && tooShort.peakReason == nullptr);
  CHECK_NEAR(momentary.integratedLufs.value_or(1e9), -20.0, 0.2);
  CHECK(momentary.integratedReason == nullptr && momentary.momentaryReason == nullptr);
  CHECK(!almost.maxShortTermLufs && is(almost.shortTermReason, "audio_too_short"));
  CHECK(!almost.loudnessRangeLu && is(almost.loudnessRangeReason, "audio_too_short"));
  CHECK_NEAR(whole.maxShortTermLufs.value_or(1e9), -20.0, 0.1);
  CHECK_NEAR(whole.loudnessRangeLu.value_or(1e9), 0.0, 1e-9);
}

TEST("no sample and one sample") {
  const Loudness none = measureStereo(44100, {});
  CHECK(is(none.integratedReason, "audio_too_short") && is(none.peakReason, "audio_too_short"));
  CHECK(!none.samplePeakDbfs && !none.truePeakDbtp);
  const Loudness one = measureStereo(44100, {0.5f});
  CHECK(is(one.integratedReason, "audio_too_short"));
  CHECK_NEAR(one.samplePeakDbfs.value_or(1e9), 20.0 * std::log10(0.5), 1e-6);
  CHECK_NEAR(one.truePeakDbtp.value_or(1e9), 20.0 * std::log10(0.5), 1e-6);
}

TEST("channels add up: eight alike read 9 dB above one") {
  const auto tone = signals::tones(48000, {{-30, 5}});
  const Loudness mono = measure(format(48000, 1), {&tone});
  const Loudness eight = measure(format(48000, 8), signals::Channels(8, &tone));
  CHECK_NEAR(eight.integratedLufs.value_or(1e9) - mono.integratedLufs.value_or(-1e9), 10.0 * std::log10(8.0),
             1e-9);
  CHECK_NEAR(mono.integratedLufs.value_or(1e9), -33.0, 0.1);
}

TEST("at 8 kHz, with segments of 80 frames, a tone reads its level") {
  const Loudness result = measureStereo(8000, signals::tones(8000, {{-23, 20}}));
  CHECK_NEAR(result.integratedLufs.value_or(1e9), -23.0, 0.1);
  CHECK_NEAR(result.truePeakDbtp.value_or(1e9), -23.0, 0.2);
}

TEST("a timeline value is the window that ends there; before the start there is silence") {
  const Loudness result =
      measureStereo(48000, signals::tones(48000, {{-20, 5}, {signals::kSilenceDb, 5}}), {.timeline = true});
  CHECK(result.timelineStepS == 0.1 && result.momentaryLufs.size() == 100 &&
        result.shortTermLufs.size() == 100);
  for (std::size_t i = 0; i < 30; ++i) {  // windows that reach back before the start
    const double ms = 100.0 * double(i + 1);
    CHECK_NEAR(result.momentaryLufs[i], -20.0 + 10.0 * std::log10(std::min(1.0, ms / 400.0)), 0.15);
    CHECK_NEAR(result.shortTermLufs[i], -20.0 + 10.0 * std::log10(std::min(1.0, ms / 3000.0)), 0.15);
  }
  CHECK_NEAR(result.momentaryLufs[51], -20.0 + 10.0 * std::log10(0.5), 0.15);
  CHECK(result.momentaryLufs[56] < -150.0);  // nothing of the tone is left behind
  CHECK(measureStereo(48000, signals::tones(48000, {{-20, 5}})).momentaryLufs.empty());
}

TEST("the meter refuses formats it is not made for") {
  CHECK_THROWS(ErrorCode::invalidParameter, LoudnessMeter(format(7999)));
  CHECK_THROWS(ErrorCode::invalidParameter, LoudnessMeter(format(192001)));
  CHECK_THROWS(ErrorCode::invalidParameter, LoudnessMeter(format(0)));
  CHECK_THROWS(ErrorCode::invalidParameter, LoudnessMeter(format(48000, 0)));
  CHECK_THROWS(ErrorCode::invalidParameter, LoudnessMeter(format(48000, 9)));
}
