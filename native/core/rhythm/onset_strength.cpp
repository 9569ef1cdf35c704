#include "core/rhythm/onset_strength.hpp"

#include <algorithm>
#include <cmath>

#include "core/rhythm/mel_features.hpp"

namespace tonearm {

namespace {

constexpr std::size_t kBands = MelFeatures::kBands;
constexpr std::size_t kLowBands = 4;      // below 190 Hz: bass drum, bass
constexpr std::size_t kMiddleBands = 30;  // below 2 kHz: snare, most tones; above: cymbals
constexpr std::size_t kFirstTonalBand = 2, kLastTonalBand = 40;
constexpr std::size_t kChangeFrames = 12;  // 0.24 s to either side
constexpr std::size_t kLocalFrames = 401;  // 8 s

// How the ranges count. Cymbals mark subdivisions as often as beats, so they count least.
constexpr float kLowWeight = 0.33f, kMiddleWeight = 0.42f, kHighWeight = 0.25f;
// Log odds grow with the strength relative to the local mean; at 1.5 times the mean beat and no beat are as
// likely.
constexpr float kSlope = 1.5f, kEven = 1.5f;
// A downbeat brings a new chord and the bass; a back beat brings the snare's wide band of noise instead.
constexpr float kDownbeatLow = 0.5f, kDownbeatMiddle = -0.1f, kDownbeatHigh = -0.2f, kDownbeatEven = 1.2f;
constexpr float kStrongest = 5.0f;  // strength beyond this says no more
// Rises below this (sum of natural-log steps over a range's bands) are numerical noise, not sound.
constexpr float kFloor = 0.05f;

// Moving average over `width` frames; at the ends, over what there is of them.
std::vector<float> boxAverage(const std::vector<float>& signal, std::size_t width) {
  const std::size_t count = signal.size(), half = width / 2;
  std::vector<double> sums(count + 1);
  for (std::size_t i = 0; i < count; ++i) sums[i + 1] = sums[i] + signal[i];
  std::vector<float> average(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = i > half ? i - half : 0, to = std::min(count, i + half + 1);
    average[i] = static_cast<float>((sums[to] - sums[from]) / static_cast<double>(to - from));
  }
  return average;
}

// The signal relative to a triangular local mean of kLocalFrames, which is at least a third of the mean of
// all so that a pause does not blow up what little is in it.
std::vector<float> relative(const std::vector<float>& signal, bool smooth) {
  const std::size_t count = signal.size();
  std::vector<float> result(signal);
  if (smooth) {
    for (std::size_t i = 0; i < count; ++i) {
      const float left = i > 0 ? signal[i - 1] : 0.0f, right = i + 1 < count ? signal[i + 1] : 0.0f;
      result[i] = 0.25f * left + 0.5f * signal[i] + 0.25f * right;
    }
  }
  const std::vector<float> local = boxAverage(boxAverage(result, kLocalFrames / 2), kLocalFrames / 2);
  double total = 0;
  for (const float value : result) total += value;
  const float least =
      std::max(kFloor, static_cast<float>(total / static_cast<double>(std::max<std::size_t>(1, count)) / 3));
  for (std::size_t i = 0; i < count; ++i) result[i] /= std::max(local[i], least);
  return result;
}

}  // namespace

OnsetStrength::OnsetStrength() : before_(kBands), after_(kBands) {}

void OnsetStrength::push(std::span<const float> features, std::size_t frames) {
  for (std::size_t frame = 0; frame < frames; ++frame) {
    pushFrame(features.data() + frame * kBands);
    pushChange(features.data() + frame * kBands);
  }
}

// Spectral flux against the loudest of each band and its neighbours one frame before, so that vibrato and
// slides, which move energy from band to band, are not taken for onsets (Böck and Widmer, "Maximum filter
// vibrato suppression", DAFx 2013).
void OnsetStrength::pushFrame(const float* features) {
  float low = 0, middle = 0, high = 0;
  if (!previous_.empty()) {
    for (std::size_t band = 0; band < kBands; ++band) {
      const float rise = std::max(0.0f, features[band] - previous_[band]);
      (band < kLowBands ? low : band < kMiddleBands ? middle : high) += rise;
    }
  }
  ranges_[0].push_back(low);
  ranges_[1].push_back(middle);
  ranges_[2].push_back(high);
  previous_.resize(kBands);
  for (std::size_t band = 0; band < kBands; ++band) {
    const float below = features[band > 0 ? band - 1 : 0], above = features[std::min(band + 1, kBands - 1)];
    previous_[band] = std::max({below, features[band], above});
  }
}

// The distance between the mean spectra of the kChangeFrames before a frame and of those from it on: chords
// change at downbeats more than elsewhere.
void OnsetStrength::pushChange(const float* features) {
  const std::size_t seen = ranges_[0].size();  // with this frame
  const std::size_t slots = 2 * kChangeFrames;
  ring_.resize(slots * kBands);
  float* newest = ring_.data() + (seen - 1) % slots * kBands;
  const float* middle =
      ring_.data() + (seen - 1 + kChangeFrames) % slots * kBands;  // leaves `after_` for `before_`
  double distance = 0;
  for (std::size_t band = 0; band < kBands; ++band) {
    before_[band] += middle[band] - newest[band];  // the oldest frame's slot is the newest one's
    after_[band] += features[band] - middle[band];
    newest[band] = features[band];
    if (band >= kFirstTonalBand && band < kLastTonalBand) distance += std::abs(after_[band] - before_[band]);
  }
  // This distance belongs to the first frame of `after_`; the first and last frames lack one side.
  change_.push_back(0.0f);
  if (seen >= slots) change_[seen - kChangeFrames] = static_cast<float>(distance / kChangeFrames);
}

Activations OnsetStrength::finish() {
  for (std::vector<float>& range : ranges_) range = relative(range, true);
  const auto& [low, middle, high] = ranges_;
  const std::vector<float> change = relative(change_, false);
  Activations activations;
  activations.beatLogOdds.resize(low.size());
  activations.downbeatLogOdds.resize(low.size());
  for (std::size_t i = 0; i < low.size(); ++i) {
    const float strength = kLowWeight * low[i] + kMiddleWeight * middle[i] + kHighWeight * high[i];
    activations.beatLogOdds[i] = kSlope * (strength - kEven);
    activations.downbeatLogOdds[i] = change[i] + kDownbeatLow * std::min(low[i], kStrongest) +
                                     kDownbeatMiddle * std::min(middle[i], kStrongest) +
                                     kDownbeatHigh * std::min(high[i], kStrongest) - kDownbeatEven;
  }
  return activations;
}

}  // namespace tonearm
