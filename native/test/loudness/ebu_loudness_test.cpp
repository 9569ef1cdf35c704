// EBU Tech 3341 (v4) cases 1–6 and 9–14 and Tech 3342 (v4) cases 1–4. Cases 7 and 8 (5 and 6) are recordings.
#include <vector>

#include "check.hpp"
#include "loudness/measure.hpp"

using namespace tonearm;
using signals::kSilenceDb, signals::measureStereo, signals::Tone, signals::tones;

namespace {

constexpr int kRatesHz[] = {44100, 48000, 88200, 96000, 192000};
constexpr LoudnessOptions kNoTruePeak = {.truePeak = false};
constexpr double kNothing = 1e9;  // fails every comparison

Loudness measure(int rateHz, const std::vector<Tone>& list, bool timeline = false) {
  return measureStereo(rateHz, tones(rateHz, list), {.truePeak = false, .timeline = timeline});
}

std::vector<Tone> repeated(const std::vector<Tone>& pattern, int times) {
  std::vector<Tone> list;
  for (int i = 0; i < times; ++i) list.insert(list.end(), pattern.begin(), pattern.end());
  return list;
}

}  // namespace

TEST("Tech 3341 cases 1 and 2: a steady tone reads its level on all three scales") {
  for (const int rateHz : kRatesHz) {
    for (const double level : {-23.0, -33.0}) {
      const Loudness result = measure(rateHz, {{level, 20.0}}, true);
      CHECK_NEAR(result.integratedLufs.value_or(kNothing), level, 0.1);
      CHECK_NEAR(result.maxMomentaryLufs.value_or(kNothing), level, 0.1);
      CHECK_NEAR(result.maxShortTermLufs.value_or(kNothing), level, 0.1);
      CHECK(result.momentaryLufs.size() == 200);
      CHECK_NEAR(result.momentaryLufs.back(), level, 0.1);
      CHECK_NEAR(result.shortTermLufs.back(), level, 0.1);
    }
  }
}

TEST("Tech 3341 cases 3 to 5: the gates leave out what is quiet") {
  for (const int rateHz : kRatesHz) {
    const std::vector<Tone> cases[] = {
        {{-36, 10}, {-23, 60}, {-36, 10}},
        {{-72, 10}, {-36, 10}, {-23, 60}, {-36, 10}, {-72, 10}},
        {{-26, 20}, {-20, 20.1}, {-26, 20}},
    };
    for (const auto& list : cases)
      CHECK_NEAR(measure(rateHz, list).integratedLufs.value_or(kNothing), -23.0, 0.1);
  }
}

TEST("Tech 3341 case 6: surrounds weigh 1.41 and the LFE nothing, in 5.0 and 5.1") {
  for (const int rateHz : kRatesHz) {
    const auto front = tones(rateHz, {{-28, 20}}), centre = tones(rateHz, {{-24, 20}});
    const auto side = tones(rateHz, {{-30, 20}}), lfe = tones(rateHz, {{-3, 20}});
    using enum ChannelRole;
    const Loudness a = signals::measure({rateHz, {main, main, main, surround, surround}},
                                        {&front, &front, &centre, &side, &side}, kNoTruePeak);
    const Loudness b = signals::measure({rateHz, {main, main, main, lowFrequency, surround, surround}},
                                        {&front, &front, &centre, &lfe, &side, &side}, kNoTruePeak);
    CHECK_NEAR(a.integratedLufs.value_or(kNothing), -23.0, 0.1);
    CHECK(a.integratedLufs == b.integratedLufs);
    CHECK_NEAR(b.samplePeakDbfs.value_or(kNothing), -3.0, 0.1);  // the LFE's: peaks are over all channels
  }
}

TEST("Tech 3341 cases 9 and 12: a pattern as long as the window reads constant") {
  for (const int rateHz : kRatesHz) {
    const Loudness slow = measure(rateHz, repeated({{-20, 1.34}, {-30, 1.66}}, 5), true);
    CHECK(slow.shortTermLufs.size() == 150);
    for (std::size_t i = 29; i < slow.shortTermLufs.size(); ++i)
      CHECK_NEAR(slow.shortTermLufs[i], -23.0, 0.1);
    CHECK_NEAR(slow.maxShortTermLufs.value_or(kNothing), -23.0, 0.1);
    const Loudness fast = measure(rateHz, repeated({{-20, 0.18}, {-30, 0.22}}, 25), true);
    CHECK(fast.momentaryLufs.size() == 100);
    for (std::size_t i = 9; i < fast.momentaryLufs.size(); ++i) CHECK_NEAR(fast.momentaryLufs[i], -23.0, 0.1);
    CHECK_NEAR(fast.maxMomentaryLufs.value_or(kNothing), -23.0, 0.1);
  }
}

TEST("Tech 3341 cases 10 and 13: the maximum does not depend on when a burst starts") {
  for (const int rateHz : kRatesHz) {
    for (int i = 0; i < 20; ++i) {
      const Loudness slow = measure(rateHz, {{kSilenceDb, 0.15 * i}, {-23, 3}, {kSilenceDb, 1}});
      CHECK_NEAR(slow.maxShortTermLufs.value_or(kNothing), -23.0, 0.1);
      const Loudness fast = measure(rateHz, {{kSilenceDb, 0.02 * i}, {-23, 0.4}, {kSilenceDb, 1}});
      CHECK_NEAR(fast.maxMomentaryLufs.value_or(kNothing), -23.0, 0.1);
    }
  }
}

TEST("Tech 3341 cases 11 and 14: bursts that grow in steps of 1 dB move the maximum in steps of 1 dB") {
  for (const int rateHz : kRatesHz) {
    std::vector<Tone> slow, fast;
    for (int i = 0; i < 20; ++i) {
      const double level = -38.0 + i;
      const std::vector<Tone> slowStep = {{kSilenceDb, 0.15 * i}, {level, 3}, {kSilenceDb, 3 - 0.15 * i}};
      const std::vector<Tone> fastStep = {{kSilenceDb, 0.02 * i}, {level, 0.4}, {kSilenceDb, 0.4 - 0.02 * i}};
      CHECK_NEAR(measure(rateHz, slowStep).maxShortTermLufs.value_or(kNothing), level, 0.1);
      fast.insert(fast.end(), fastStep.begin(), fastStep.end());
      CHECK_NEAR(measure(rateHz, fast).maxMomentaryLufs.value_or(kNothing), level, 0.1);
      slow.insert(slow.end(), slowStep.begin(), slowStep.end());
    }
    CHECK_NEAR(measure(rateHz, slow).maxShortTermLufs.value_or(kNothing), -19.0, 0.1);
  }
}

TEST("Tech 3342 cases 1 to 4: loudness range of steps") {
  const struct {
    std::vector<Tone> list;
    double rangeLu;
  } cases[] = {
      {{{-20, 20}, {-30, 20}}, 10.0},
      {{{-20, 20}, {-15, 20}}, 5.0},
      {{{-40, 20}, {-20, 20}}, 20.0},
      {{{-50, 20}, {-35, 20}, {-20, 20}, {-35, 20}, {-50, 20}}, 15.0},
  };
  for (const int rateHz : kRatesHz)
    for (const auto& [list, rangeLu] : cases)
      CHECK_NEAR(measure(rateHz, list).loudnessRangeLu.value_or(kNothing), rangeLu, 1.0);
}
