#pragma once

#include <array>

namespace tonearm {

// How far the whole of a piece is from the 440 Hz grid: the circular mean of the peaks' distances from the
// nearest semitone (after Gómez, 2006). Weights are summed in a histogram so that adding a peak costs no
// trigonometry.
class TuningEstimator {
 public:
  // `pitch` in semitones, any reference that has A4 = 440 Hz on a whole number; `weight` ≥ 0.
  void add(float pitch, float weight) noexcept;

  // −50 … +50; 0 when the peaks agree too little to tell (drums, speech, some voices).
  double cents() const noexcept;

  // 0 (spread evenly, as in noise) … 1 (all peaks off by the same amount).
  double concentration() const noexcept { return circularMean().concentration; }

  // Whether cents() was heard rather than assumed.
  bool reliable() const noexcept { return concentration() >= kLeastConcentration; }

 private:
  struct CircularMean {
    double cents, concentration;
  };
  CircularMean circularMean() const noexcept;

  // Single drums and voices read 0.05–0.18, most mixes of real music 0.2–0.8.
  static constexpr double kLeastConcentration = 0.12;

  static constexpr int kBins = 100;
  std::array<double, kBins> histogram_{};
};

}  // namespace tonearm
