#include "core/rhythm/beat_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "core/rhythm/bar_decoder.hpp"
#include "core/rhythm/tempo_curve.hpp"

using namespace tonearm;

namespace {

constexpr double kRateHz = 100;

// Log odds that are high at every `interval` frames from `first` on.
std::vector<float> pulses(std::size_t frames, double first, double interval) {
  std::vector<float> odds(frames, -4.0f);
  for (double at = first; at < static_cast<double>(frames); at += interval)
    odds[static_cast<std::size_t>(std::lround(at))] = 3;
  return odds;
}

// The same model by exhaustive recursion over the beats, one frame and tempo at a time, in double.
double bestScore(const std::vector<float>& odds, const BeatModel& model, TempoRange range) {
  const TempoSpace space(kRateHz, range, model.transitionLambda, model.jumpCost);
  const auto frames = static_cast<std::int64_t>(odds.size());
  std::vector<std::vector<double>> depart(odds.size(), std::vector<double>(space.size()));
  double best = -std::numeric_limits<double>::infinity();
  for (std::int64_t t = 0; t < frames; ++t) {
    for (std::size_t to = 0; to < space.size(); ++to) {
      double arrive = -std::numeric_limits<double>::infinity();
      for (std::size_t from = 0; from < space.size(); ++from) {
        const std::int64_t start = t - space.intervalFrames(from);
        const double ratio = static_cast<double>(space.intervalFrames(to)) / space.intervalFrames(from);
        const double cost =
            std::min(static_cast<double>(model.jumpCost), model.transitionLambda * std::abs(ratio - 1));
        arrive = std::max(arrive, (start < 0 ? 0 : depart[start][from]) - cost);
      }
      const double gain = static_cast<double>(model.eventWeight) +
                          static_cast<double>(model.durationWeight) * space.intervalFrames(to) / kRateHz;
      depart[t][to] = arrive + gain * static_cast<double>(odds[t] + model.oddsOffset);
      if (t + space.intervalFrames(to) >= frames) best = std::max(best, depart[t][to]);
    }
  }
  return best;
}

double scoreOf(const std::vector<DecodedBeat>& beats, const std::vector<float>& odds,
               const BeatModel& model) {
  double score = 0;
  for (std::size_t i = 0; i < beats.size(); ++i) {
    const double to = beats[i].intervalFrames;
    if (i > 0) {
      const double from = beats[i - 1].intervalFrames;
      score -=
          std::min(static_cast<double>(model.jumpCost), model.transitionLambda * std::abs(to / from - 1));
    }
    score +=
        (static_cast<double>(model.eventWeight) + static_cast<double>(model.durationWeight) * to / kRateHz) *
        static_cast<double>(odds[beats[i].frame] + model.oddsOffset);
  }
  return score;
}

}  // namespace

TEST("the path found scores as high as any by the model's definition") {
  std::uint32_t state = 1;
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<float> odds(900);
    for (float& value : odds) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<float>(state >> 8) / 16777216.0f * 6 - 5;
    }
    const BeatModel model{0.7f, 0.6f, 1, 60, 15};
    BeatDecoder decoder(kRateHz, model);
    decoder.push(odds);
    const std::vector<DecodedBeat> beats = decoder.finish();
    CHECK_NEAR(scoreOf(beats, odds, model), bestScore(odds, model, {}), 0.01);
  }
}

TEST("beats of a steady pulse are found where they are, also beyond what is kept in memory") {
  const std::vector<float> odds = pulses(60000, 17, 51);
  BeatDecoder decoder(kRateHz);
  for (std::size_t at = 0; at < odds.size(); at += 777)
    decoder.push({odds.data() + at, std::min<std::size_t>(777, odds.size() - at)});
  const std::vector<DecodedBeat> beats = decoder.finish();
  CHECK(beats.size() == 1177 - 1 || beats.size() == 1177);
  for (std::size_t i = 0; i < beats.size(); ++i) CHECK(beats[i].frame % 51 == 17);
}

TEST("a range of tempi is kept to") {
  const std::vector<float> odds = pulses(6000, 10, 40);
  BeatDecoder decoder(kRateHz, {}, {60, 90});
  decoder.push(odds);
  const std::vector<DecodedBeat> beats = decoder.finish();
  CHECK(beats.size() > 60);
  for (std::size_t i = 1; i < beats.size(); ++i) CHECK(beats[i].frame - beats[i - 1].frame == 80);
}

TEST("each metre is told by the downbeats alone, and a change of metre is followed") {
  for (int metre = 2; metre <= 7; ++metre) {
    std::vector<float> odds;
    for (int i = 0; i < 10 * metre; ++i) odds.push_back(i % metre == 1 ? 4.0f : -4.0f);
    const Bars bars = decodeBars(odds);
    CHECK_NEAR(bars.metre, metre, 0);
    for (int i = 0; i < 10 * metre; ++i) CHECK((bars.positions[i] == 1) == (i % metre == 1));
  }
  std::vector<float> odds;
  for (int i = 0; i < 48; ++i) odds.push_back(i % 4 == 0 ? 4.0f : -4.0f);
  for (int i = 0; i < 30; ++i) odds.push_back(i % 3 == 0 ? 4.0f : -4.0f);
  const Bars bars = decodeBars(odds);
  CHECK_NEAR(bars.metre, 4, 0);
  for (std::size_t i = 0; i < odds.size(); ++i) CHECK((bars.positions[i] == 1) == (odds[i] > 0));
}

TEST("no beats have no bars") {
  const Bars bars = decodeBars({});
  CHECK(bars.metre == 0 && bars.positions.empty());
}

TEST("a steady tempo is one segment however long and however unsteady, and is exact") {
  std::vector<double> beats;
  std::uint32_t state = 7;
  for (int i = 0; i < 3000; ++i) {
    state = state * 1664525u + 1013904223u;
    beats.push_back(1.5 + 0.46875 * i + 0.02 * (static_cast<double>(state >> 8) / 16777216.0 - 0.5));
  }
  const std::vector<TempoSegment> segments = fitTempo(beats);
  CHECK_NEAR(segments.size(), 1, 0);
  CHECK_NEAR(60 / segments[0].periodS, 128, 0.001);
  CHECK_NEAR(segments[0].startS, 1.5, 0.002);
  CHECK_NEAR(medianBpm(segments), 128, 0.001);
}

TEST("tempo steps become segments, and the tempo of most beats is the tempo") {
  std::vector<double> beats = {0};
  const auto go = [&](double bpm, int count) {
    for (int i = 0; i < count; ++i) beats.push_back(beats.back() + 60 / bpm);
  };
  go(90, 40);
  go(120, 100);
  go(100, 30);
  const std::vector<TempoSegment> segments = fitTempo(beats);
  CHECK_NEAR(segments.size(), 3, 0);
  CHECK_NEAR(60 / segments[0].periodS, 90, 0.01);
  CHECK_NEAR(60 / segments[1].periodS, 120, 0.01);
  CHECK_NEAR(60 / segments[2].periodS, 100, 0.01);
  CHECK_NEAR(medianBpm(segments), 120, 0.01);
}
