#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/support/audio.hpp"

// A small synthesised band for the tests of tonality: chords of tones rich in harmonics, bass, drums.
namespace band {

using Signal = std::vector<float>;

struct Chord {
  int root = 0;  // pitch class
  bool minor = false;
};

inline std::size_t samplesOf(double seconds) {
  return static_cast<std::size_t>(seconds * tonearm::kAnalysisRateHz);
}

// Adds a plucked tone with eight harmonics falling off as 1/h.
inline void addTone(Signal& signal, double startS, double seconds, double midiPitch, double level) {
  const double hz = 440 * std::exp2((midiPitch - 69) / 12);
  const std::size_t start = samplesOf(startS), length = samplesOf(seconds);
  if (signal.size() < start + length) signal.resize(start + length);
  for (int harmonic = 1; harmonic <= 8 && hz * harmonic < 9000; ++harmonic) {
    const double step = 2 * std::numbers::pi * hz * harmonic / tonearm::kAnalysisRateHz;
    for (std::size_t n = 0; n < length; ++n) {
      const double t = static_cast<double>(n) / tonearm::kAnalysisRateHz;
      const double envelope = std::min(1.0, t / 0.01) * std::exp(-t * (1 + 0.5 * harmonic));
      signal[start + n] += static_cast<float>(level / harmonic * envelope *
                                              std::sin(step * static_cast<double>(n) + harmonic));
    }
  }
}

inline void addChord(Signal& signal, double startS, double seconds, Chord chord, double cents = 0) {
  for (const int interval : {0, chord.minor ? 3 : 4, 7})
    addTone(signal, startS, seconds, 60 + (chord.root + interval) % 12 + cents / 100, 0.1);
  addTone(signal, startS, seconds, 36 + chord.root + cents / 100, 0.15);
}

// I IV V I (or i iv V i), one second a chord, `times` over, from `startS` on.
inline double addCadences(Signal& signal, double startS, int tonic, bool minor, int times, double cents = 0) {
  const Chord chords[] = {
      {tonic, minor}, {(tonic + 5) % 12, minor}, {(tonic + 7) % 12, false}, {tonic, minor}};
  double now = startS;
  for (int i = 0; i < times; ++i)
    for (const Chord& chord : chords) {
      addChord(signal, now, 1, chord, cents);
      now += 1;
    }
  return now;
}

// A linear congruential generator: the same noise everywhere.
class Noise {
 public:
  float operator()() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<float>(static_cast<double>(state_ >> 40) / (1 << 23) - 1);
  }

 private:
  std::uint64_t state_ = 1;
};

inline void addNoise(Signal& signal, float level) {
  Noise noise;
  for (float& sample : signal) sample += level * noise();
}

// Kick (a falling sine), snare and hat (bursts of noise), 120 beats a minute.
inline void addDrums(Signal& signal, float level) {
  Noise noise;
  const std::size_t eighth = samplesOf(0.25);
  for (std::size_t n = 0; n < signal.size(); ++n) {
    const std::size_t step = n / eighth % 4;
    const double t = static_cast<double>(n % eighth) / tonearm::kAnalysisRateHz;
    double value = 0.2 * std::exp(-t * 60) * static_cast<double>(noise());
    if (step == 0)
      value += std::exp(-t * 20) * std::sin(2 * std::numbers::pi * (50 * t - 5 * std::exp(-t * 40)));
    if (step == 2) value += 0.8 * std::exp(-t * 25) * static_cast<double>(noise());
    signal[n] += level * static_cast<float>(value);
  }
}

}  // namespace band
