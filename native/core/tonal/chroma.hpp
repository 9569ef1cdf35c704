#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/dsp/half_band.hpp"
#include "core/dsp/stft.hpp"
#include "core/support/audio.hpp"
#include "core/tonal/spectral_peaks.hpp"
#include "core/tonal/tuning.hpp"

namespace tonearm {

inline constexpr std::size_t kPitchClasses = 12;
inline constexpr std::size_t kFineBins = 60;  // an octave in steps of 20 cents; bin 0 is C at A4 = 440 Hz

// Bass lines, chords and melodies say different things about harmony, so each register keeps a chroma of its
// own. They fade into each other over an octave: 110–220 Hz and 440–880 Hz.
enum Register : std::size_t { kBass, kMiddle, kTreble, kRegisters };

using PitchClassVector = std::array<float, kPitchClasses>;  // 0 = C … 11 = B
using FineChroma = std::array<float, kFineBins>;

// One STFT frame: the square roots of the peaks' magnitudes (so that loud partials do not hide the rest),
// octaves folded. Not normalised. Fine-grained, because the tuning is known only when the whole piece has
// been heard.
using ChromaFrame = std::array<FineChroma, kRegisters>;

// Brings a fine chroma to semitones, given how far the piece is from 440 Hz: each pitch class collects what
// lies within half a semitone, weighted by cos² of the distance.
PitchClassVector foldToPitchClasses(const FineChroma& fine, double tuningCents);

// A push stage over the analysis signal (mono, kAnalysisRateHz): one ChromaFrame every kHopSeconds, frame k
// centred on k · kHopSeconds, 0.37 s long. Works at half the analysis rate: nothing above 2500 Hz is looked
// at.
class ChromaStage {
 public:
  static constexpr std::size_t kWindowSize = 4096, kHopSize = 2048;  // in samples at half the analysis rate
  static constexpr double kRateHz = kAnalysisRateHz / 2.0;
  static constexpr double kHopSeconds = static_cast<double>(kHopSize) / kRateHz;

  using Consumer = std::function<void(const ChromaFrame& frame)>;
  explicit ChromaStage(Consumer consume);

  void push(std::span<const float> mono);
  void finish();
  const TuningEstimator& tuning() const noexcept { return tuning_; }

  // Of everything so far between 50 and 2500 Hz: the mean magnitude of the loudest frame, and the share of
  // all magnitude that lies in the peaks' bins (0 in silence, about 0.02 in noise, above 0.09 in most music).
  float loudestLevel() const noexcept { return loudestLevel_; }
  double tonalShare() const noexcept { return levelSum_ > 0 ? peakSum_ / levelSum_ : 0; }

 private:
  void take(std::span<const float> magnitudes);

  Consumer consume_;
  SpectralPeakPicker peaks_;
  TuningEstimator tuning_;
  HalfBand halfBand_;
  std::vector<float> halved_;
  float loudestLevel_ = 0;
  double peakSum_ = 0, levelSum_ = 0;
  Stft stft_;
};

}  // namespace tonearm
