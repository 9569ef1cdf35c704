#include "core/tonal/chroma.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tonearm {
namespace {

constexpr double kLowestHz = 50, kHighestHz = 2500;
constexpr float kBinsPerSemitone = static_cast<float>(kFineBins) / static_cast<float>(kPitchClasses);

// Where the registers meet (MIDI pitches A2, A3, A4, A5).
constexpr float kBassEnds = 45, kMiddleFull = 57, kMiddleFades = 69, kTrebleFull = 81;
// The tuning is read where pitch is exact and partials are still harmonic: D3 to B6.
constexpr float kTuningLowest = 50, kTuningHighest = 95;

std::array<float, kRegisters> registerWeights(float pitch) {
  const float bass = std::clamp((kMiddleFull - pitch) / (kMiddleFull - kBassEnds), 0.0F, 1.0F);
  const float treble = std::clamp((pitch - kMiddleFades) / (kTrebleFull - kMiddleFades), 0.0F, 1.0F);
  return {bass, 1 - bass - treble, treble};
}

}  // namespace

PitchClassVector foldToPitchClasses(const FineChroma& fine, double tuningCents) {
  PitchClassVector folded{};
  const double shift = tuningCents / 100 * static_cast<double>(kBinsPerSemitone);
  const double reach = static_cast<double>(kBinsPerSemitone) / 2;
  for (std::size_t pitchClass = 0; pitchClass < kPitchClasses; ++pitchClass) {
    const double centre = static_cast<double>(pitchClass) * static_cast<double>(kBinsPerSemitone) + shift;
    double sum = 0;
    for (int bin = static_cast<int>(std::ceil(centre - reach)); bin < centre + reach; ++bin) {
      const double window = std::cos((bin - centre) / reach * std::numbers::pi / 2);
      const int wrapped = (bin + 2 * static_cast<int>(kFineBins)) % static_cast<int>(kFineBins);
      sum += window * window * static_cast<double>(fine[static_cast<std::size_t>(wrapped)]);
    }
    folded[pitchClass] = static_cast<float>(sum);
  }
  return folded;
}

ChromaStage::ChromaStage(Consumer consume)
    : consume_(std::move(consume)),
      peaks_(kWindowSize, kRateHz, kLowestHz, kHighestHz),
      halfBand_(false, simd::kernels()),
      stft_({.windowSize = kWindowSize, .hopSize = kHopSize, .center = true},
            [this](std::span<const float> magnitudes, std::size_t frames) {
              const std::size_t bins = kWindowSize / 2 + 1;
              for (std::size_t f = 0; f < frames; ++f) take(magnitudes.subspan(f * bins, bins));
            }) {}

void ChromaStage::push(std::span<const float> mono) {
  halfBand_.push(mono, halved_);
  stft_.push(halved_);
}

void ChromaStage::finish() {
  halfBand_.finish(halved_);
  stft_.push(halved_);
  stft_.finish();
}

void ChromaStage::take(std::span<const float> magnitudes) {
  ChromaFrame frame{};
  for (const SpectralPeak& peak : peaks_.pick(magnitudes)) {
    const float weight = std::sqrt(peak.magnitude);
    peakSum_ += static_cast<double>(peak.magnitude);
    if (peak.pitch > kTuningLowest && peak.pitch < kTuningHighest) tuning_.add(peak.pitch, weight);
    // Shared between the two nearest fine bins. Pitches are positive here (50 Hz is 31), and pitch 0 is a C.
    const float position = peak.pitch * kBinsPerSemitone;
    const int lower = static_cast<int>(position);
    const float upperShare = position - static_cast<float>(lower);
    const std::size_t bin = static_cast<std::size_t>(lower) % kFineBins, next = (bin + 1) % kFineBins;
    const auto weights = registerWeights(peak.pitch);
    for (std::size_t r = 0; r < kRegisters; ++r) {
      frame[r][bin] += weights[r] * weight * (1 - upperShare);
      frame[r][next] += weights[r] * weight * upperShare;
    }
  }
  loudestLevel_ = std::max(loudestLevel_, peaks_.bandSum() / static_cast<float>(peaks_.bandBins()));
  levelSum_ += static_cast<double>(peaks_.bandSum());
  consume_(frame);
}

}  // namespace tonearm
