#include "core/rhythm/rhythm.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "check.hpp"
#include "rhythm/drum_machine.hpp"

using namespace tonearm;
using namespace tonearm::drums;

namespace {

using Weights = std::span<const std::uint8_t>;

// What must hold whether the network or onset strength is the evidence.
const std::vector<Weights> kEvidence = {shippedBeatWeights(), Weights()};

Rhythm track(const std::vector<float>& samples, Weights weights = shippedBeatWeights(),
             std::size_t block = 4096) {
  RhythmTracker tracker(weights);
  for (std::size_t at = 0; at < samples.size(); at += block)
    tracker.push({samples.data() + at, std::min(block, samples.size() - at)});
  return tracker.finish();
}

double bpmOf(const Rhythm& rhythm) {
  return rhythm.tempi.empty() ? 0 : rhythm.tempi.front().bpm;
}

// F measure with a window of ±`windowS`.
double fMeasure(const std::vector<double>& expected, const std::vector<double>& found,
                double windowS = 0.03) {
  std::size_t hits = 0, at = 0;
  for (const double beat : expected) {
    while (at < found.size() && found[at] < beat - windowS) ++at;
    if (at < found.size() && found[at] <= beat + windowS) {
      ++hits;
      ++at;
    }
  }
  return expected.empty() || found.empty()
             ? 0
             : 2.0 * static_cast<double>(hits) / static_cast<double>(expected.size() + found.size());
}

// Bars of bass drum on one, snare on the other places given, hi-hats on beats and half-way between them, and
// a chord that changes with the bar.
Track drumBars(const std::vector<double>& beats, int metre, const std::vector<int>& snares, double seconds) {
  Track result(seconds);
  const std::vector<std::vector<double>> chords = {
      {220, 277.18, 329.63}, {146.83, 220, 293.66}, {164.81, 246.94, 329.63}, {196, 246.94, 293.66}};
  for (std::size_t i = 0; i < beats.size(); ++i) {
    const int place = static_cast<int>(i % static_cast<std::size_t>(metre)) + 1;
    const double interval = i + 1 < beats.size() ? beats[i + 1] - beats[i] : beats[i] - beats[i - 1];
    if (place == 1) {
      result.kick(beats[i]);
      result.chord(beats[i], interval * metre, chords[i / static_cast<std::size_t>(metre) % chords.size()]);
    }
    if (std::find(snares.begin(), snares.end(), place) != snares.end()) result.snare(beats[i]);
    result.hat(beats[i]);
    result.hat(beats[i] + interval / 2, 0.06f);
  }
  return result;
}

void expectMetre(Weights weights, int metre, const std::vector<int>& snares, double bpm) {
  const double seconds = 40;
  const std::vector<double> beats = beatTimes(0.3, seconds, [bpm](double) { return bpm; });
  const Rhythm rhythm = track(drumBars(beats, metre, snares, seconds).samples, weights);
  CHECK_NEAR(bpmOf(rhythm), bpm, 0.1);
  CHECK_NEAR(rhythm.timeSignature, metre, 0);
  std::vector<double> downbeats, found;
  for (std::size_t i = 0; i < beats.size(); i += static_cast<std::size_t>(metre))
    downbeats.push_back(beats[i]);
  for (std::size_t i = 0; i < rhythm.beatsS.size(); ++i) {
    if (rhythm.positions[i] == 1) found.push_back(rhythm.beatsS[i]);
  }
  CHECK(fMeasure(beats, rhythm.beatsS) > 0.95);
  CHECK(fMeasure(downbeats, found) > 0.9);
}

}  // namespace

TEST("a click track has its exact tempo from 40 to 240 BPM, and its beats lie on the clicks") {
  for (const double bpm : {40.0, 61.5, 80.0, 100.0, 128.0, 150.0, 174.0, 200.0, 233.0, 240.0}) {
    Track clicks(40);
    const std::vector<double> beats = beatTimes(0.5, 39.8, [bpm](double) { return bpm; });
    for (const double beat : beats) clicks.click(beat);
    const Rhythm rhythm = track(clicks.samples, Weights());
    CHECK_NEAR(bpmOf(rhythm), bpm, 0.01);
    CHECK(fMeasure(beats, rhythm.beatsS, 0.01) > 0.97);
    CHECK_NEAR(rhythm.tempoChanges.size(), 1, 0);
  }
}

TEST("a drum pattern in four is followed at its beat, not at its hi-hats") {
  for (const double bpm : {90.0, 110.0, 128.0, 140.0}) {
    Track drums(30);
    const std::vector<double> beats = beatTimes(0.2, 29.9, [bpm](double) { return bpm; });
    for (std::size_t i = 0; i < beats.size(); ++i) {
      if (i % 2 == 0) drums.kick(beats[i]);
      if (i % 2 == 1) drums.snare(beats[i]);
      drums.hat(beats[i]);
      drums.hat(beats[i] + 30 / bpm, 0.06f);
    }
    for (const Weights weights : kEvidence) {
      const Rhythm rhythm = track(drums.samples, weights);
      CHECK_NEAR(bpmOf(rhythm), bpm, 0.05);
      CHECK(fMeasure(beats, rhythm.beatsS) > 0.97);
      CHECK_NEAR(rhythm.tempoChanges.size(), 1, 0);
    }
  }
}

// Bass drum and chord on one, snares elsewhere: enough to tell the metre by onsets. The network was taught
// fuller music and may count such bare patterns at half the tempo, so what it is asked here is a plain rock
// beat and a plain waltz.
TEST("bars of three to seven beats are told apart by their onsets") {
  expectMetre(Weights(), 3, {2, 3}, 132);
  expectMetre(Weights(), 4, {3}, 120);
  expectMetre(Weights(), 5, {4}, 140);
  expectMetre(Weights(), 6, {}, 190);
  expectMetre(Weights(), 7, {3, 5}, 160);
}

TEST("the network hears a waltz in three and a rock beat in four") {
  expectMetre(shippedBeatWeights(), 3, {2, 3}, 132);
  expectMetre(shippedBeatWeights(), 4, {2, 4}, 120);
}

TEST("a ritardando from 140 to 90 BPM is followed") {
  const double seconds = 40;
  const auto bpmAt = [](double t) { return 140 - 50 * t / 40; };
  const std::vector<double> beats = beatTimes(0.2, seconds - 0.1, bpmAt);
  Track clicks(seconds);
  for (std::size_t i = 0; i < beats.size(); ++i) i % 2 == 0 ? clicks.kick(beats[i]) : clicks.snare(beats[i]);
  for (const Weights weights : kEvidence) {
    const Rhythm rhythm = track(clicks.samples, weights);
    CHECK(fMeasure(beats, rhythm.beatsS) > 0.95);
    CHECK(rhythm.tempoChanges.size() > 3);
    for (const TempoChange& change : rhythm.tempoChanges) CHECK_NEAR(change.bpm, bpmAt(change.timeS), 8);
  }
}

TEST("a step from 100 to 130 BPM is one tempo change at the step") {
  std::vector<double> beats;
  for (double t = 0.2; t < 20; t += 0.6) beats.push_back(t);
  const double step = beats.back();
  for (double t = step + 60.0 / 130; t < 39.8; t += 60.0 / 130) beats.push_back(t);
  Track clicks(40);
  for (const double beat : beats) clicks.click(beat);
  for (const Weights weights : kEvidence) {
    const Rhythm rhythm = track(clicks.samples, weights);
    CHECK(fMeasure(beats, rhythm.beatsS) > 0.95);
    CHECK_NEAR(rhythm.tempoChanges.size(), 2, 0);
    if (rhythm.tempoChanges.size() == 2) {
      CHECK_NEAR(rhythm.tempoChanges[0].bpm, 100, 0.1);
      CHECK_NEAR(rhythm.tempoChanges[1].bpm, 130, 0.1);
      CHECK_NEAR(rhythm.tempoChanges[1].timeS, step, 0.7);
    }
  }
}

TEST("beats increase, have a place in the bar each, and the places count up or start again") {
  const std::vector<double> beats = beatTimes(0.3, 60, [](double t) { return 105 + 6 * std::sin(t / 5); });
  const Rhythm rhythm = track(drumBars(beats, 4, {2, 4}, 60).samples);
  CHECK(rhythm.beatsS.size() == rhythm.positions.size());
  for (std::size_t i = 1; i < rhythm.beatsS.size(); ++i) {
    CHECK(rhythm.beatsS[i] > rhythm.beatsS[i - 1]);
    CHECK(rhythm.positions[i] == 1 || rhythm.positions[i] == rhythm.positions[i - 1] + 1);
  }
  double total = 0;
  for (const TempoCandidate& candidate : rhythm.tempi) {
    CHECK(candidate.confidence >= 0 && candidate.confidence <= 1);
    total += candidate.confidence;
  }
  CHECK(total <= 1.0001);
}

TEST("the answer does not depend on how the signal is cut into blocks") {
  const std::vector<double> beats = beatTimes(0.3, 20, [](double) { return 117; });
  const std::vector<float> samples = drumBars(beats, 4, {2, 4}, 20).samples;
  const Rhythm whole = track(samples, shippedBeatWeights(), samples.size());
  for (const std::size_t block : {std::size_t{1021}, std::size_t{40000}}) {
    const Rhythm cut = track(samples, shippedBeatWeights(), block);
    CHECK(cut.beatsS == whole.beatsS);
    CHECK(cut.positions == whole.positions);
    CHECK(bpmOf(cut) == bpmOf(whole));
  }
}

TEST("there are no beats in the silence before and after the music") {
  Track drums(30);
  const std::vector<double> beats = beatTimes(10, 20, [](double) { return 110; });
  for (std::size_t i = 0; i < beats.size(); ++i) i % 2 == 0 ? drums.kick(beats[i]) : drums.snare(beats[i]);
  std::fill(drums.samples.begin(), drums.samples.begin() + 10 * kAnalysisRateHz, 0.0f);
  std::fill(drums.samples.begin() + 20 * kAnalysisRateHz, drums.samples.end(), 0.0f);
  for (const Weights weights : kEvidence) {
    const Rhythm rhythm = track(drums.samples, weights);
    CHECK_NEAR(bpmOf(rhythm), 110, 0.1);
    CHECK(!rhythm.beatsS.empty() && rhythm.beatsS.front() > 9.9 && rhythm.beatsS.back() < 20.1);
  }
}

TEST("silence has no tempo, and says why") {
  const Rhythm rhythm = track(std::vector<float>(10 * kAnalysisRateHz));
  CHECK(rhythm.tempi.empty() && rhythm.beatsS.empty() && rhythm.timeSignature == 0);
  CHECK(rhythm.reason != nullptr && std::string(rhythm.reason) == "silent");
}

TEST("nothing, one sample and a second of sound are too short") {
  CHECK(std::string(track({}).reason) == "silent");
  CHECK(std::string(track({0.5f}).reason) == "audio_too_short");
  CHECK(std::string(track(std::vector<float>(kAnalysisRateHz, 0.5f)).reason) == "audio_too_short");
}

TEST("steady noise has no beat") {
  Noise noise;
  std::vector<float> samples(20 * kAnalysisRateHz);
  for (float& sample : samples) sample = 0.3f * noise.next();
  for (const Weights weights : kEvidence) {
    const Rhythm rhythm = track(samples, weights);
    CHECK(rhythm.tempi.empty() && rhythm.beatsS.empty());
    CHECK(rhythm.reason != nullptr && std::string(rhythm.reason) == "no_beat");
  }
}

TEST("a steady tone has no beat") {
  std::vector<float> samples(20 * kAnalysisRateHz);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<float>(
        0.5 * std::sin(2 * std::numbers::pi * 440 * static_cast<double>(i) / kAnalysisRateHz));
  for (const Weights weights : kEvidence) {
    const Rhythm rhythm = track(samples, weights);
    CHECK(rhythm.tempi.empty() && rhythm.beatsS.empty());
    CHECK(rhythm.reason != nullptr && std::string(rhythm.reason) == "no_beat");
  }
}

TEST("a raised flag cancels the search for beats too") {
  Track drums(30);
  for (const double beat : beatTimes(0.2, 29.9, [](double) { return 120; })) drums.kick(beat);
  RhythmTracker tracker;
  tracker.push(drums.samples);
  const std::int32_t raised = 1;
  CHECK_THROWS(ErrorCode::canceled, tracker.finish(CancelToken(&raised)));
}
