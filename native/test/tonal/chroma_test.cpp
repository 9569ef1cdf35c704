#include "core/tonal/chroma.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "tonal/band.hpp"

using namespace tonearm;

namespace {

struct Heard {
  std::vector<ChromaFrame> frames;
  double cents = 0, concentration = 0, tonalShare = 0;
};

Heard hear(const band::Signal& signal) {
  Heard heard;
  ChromaStage stage([&](const ChromaFrame& frame) { heard.frames.push_back(frame); });
  stage.push(signal);
  stage.finish();
  heard.cents = stage.tuning().cents();
  heard.concentration = stage.tuning().concentration();
  heard.tonalShare = stage.tonalShare();
  return heard;
}

band::Signal sine(double midiPitch, double seconds) {
  band::Signal signal(band::samplesOf(seconds));
  const double step = 2 * std::numbers::pi * 440 * std::exp2((midiPitch - 69) / 12) / kAnalysisRateHz;
  for (std::size_t n = 0; n < signal.size(); ++n)
    signal[n] = static_cast<float>(0.5 * std::sin(step * static_cast<double>(n)));
  return signal;
}

std::size_t loudest(const PitchClassVector& chroma) {
  return static_cast<std::size_t>(std::max_element(chroma.begin(), chroma.end()) - chroma.begin());
}

}  // namespace

TEST("a tone lands on its pitch class, in the register it belongs to") {
  struct Case {
    double pitch;
    Register where;
  };
  for (const auto& [pitch, where] :
       {Case{38, kBass}, Case{61, kMiddle}, Case{65, kMiddle}, Case{88, kTreble}}) {
    const Heard heard = hear(sine(pitch, 2));
    const ChromaFrame& frame = heard.frames[heard.frames.size() / 2];
    for (std::size_t r = 0; r < kRegisters; ++r) {
      const PitchClassVector chroma = foldToPitchClasses(frame[r], 0);
      const float sum = std::accumulate(chroma.begin(), chroma.end(), 0.0F);
      if (r != where) {
        CHECK(sum < 1e-3F);
        continue;
      }
      CHECK(loudest(chroma) == static_cast<std::size_t>(pitch) % kPitchClasses);
      CHECK(chroma[loudest(chroma)] > 0.8F * sum);
    }
  }
}

TEST("there is a frame for every hop, centred, and silence is empty") {
  band::Signal signal = sine(69, 4);
  std::fill(signal.begin(), signal.begin() + static_cast<std::ptrdiff_t>(band::samplesOf(2)), 0.0F);
  const Heard heard = hear(signal);
  CHECK(heard.frames.size() == static_cast<std::size_t>(std::ceil(4 / ChromaStage::kHopSeconds)));
  const auto energy = [&](double seconds) {
    const auto& fine = heard.frames[static_cast<std::size_t>(seconds / ChromaStage::kHopSeconds)][kMiddle];
    return std::accumulate(fine.begin(), fine.end(), 0.0F);
  };
  CHECK(energy(1.5) == 0);
  CHECK(energy(3) > 0.1F);
}

TEST("tuning is read to two cents all around the circle") {
  for (int cents = -48; cents <= 48; cents += 12) {
    band::Signal signal;
    band::addChord(signal, 0, 3, {4, false}, cents);
    const Heard heard = hear(signal);
    CHECK_NEAR(heard.cents, cents, 2);
    CHECK(heard.concentration > 0.6);
  }
}

TEST("a chroma folded at its own tuning is that of the tuned piece") {
  const double cents = 38;
  band::Signal tuned, sharp;
  band::addChord(tuned, 0, 2, {7, true});
  band::addChord(sharp, 0, 2, {7, true}, cents);
  const FineChroma a = hear(tuned).frames[4][kMiddle], b = hear(sharp).frames[4][kMiddle];
  const PitchClassVector expected = foldToPitchClasses(a, 0), folded = foldToPitchClasses(b, cents);
  for (std::size_t p = 0; p < kPitchClasses; ++p)
    CHECK_NEAR(folded[p], expected[p], 0.15 * expected[7] + 0.01);
}

TEST("drums and noise hold little that is tonal and agree on no tuning") {
  band::Signal chord;
  band::addCadences(chord, 0, 0, false, 2);
  CHECK(hear(chord).tonalShare > 0.15);
  band::Signal noise(band::samplesOf(10), 0.0F);
  band::addNoise(noise, 0.3F);
  CHECK(hear(noise).tonalShare < 0.04);
  CHECK(hear(noise).cents == 0);
}
