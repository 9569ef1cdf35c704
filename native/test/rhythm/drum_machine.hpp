#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "core/support/audio.hpp"

// Synthetic percussion for tests: what the stage hears is known to the sample.
namespace tonearm::drums {

// A steady pseudo-random source, so that tests hear the same noise everywhere.
class Noise {
 public:
  float next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 8) / 8388608.0f - 1.0f;
  }

 private:
  std::uint32_t state_ = 1;
};

class Track {
 public:
  explicit Track(double seconds) : samples(static_cast<std::size_t>(seconds * kAnalysisRateHz)) {
    for (float& sample : samples) sample = kRoomLevel * noise_.next();
  }

  // A decaying sine whose pitch falls: a bass drum.
  void kick(double timeS, float level = 0.8f) {
    double phase = 0;
    add(timeS, 0.25, [&](double t) {
      phase += 2 * std::numbers::pi * (50 + 100 * std::exp(-t * 40)) / kAnalysisRateHz;
      return level * static_cast<float>(std::sin(phase) * std::exp(-t * 14));
    });
  }
  void snare(double timeS, float level = 0.5f) {
    add(timeS, 0.1, [&](double t) {
      return level * static_cast<float>((0.8 * noise_.next() + 0.2 * std::sin(1400 * t)) * std::exp(-t * 40));
    });
  }
  // Noise, its slope taken: a closed hi-hat.
  void hat(double timeS, float level = 0.15f) {
    float last = 0;
    add(timeS, 0.05, [&](double t) {
      const float now = noise_.next(), difference = now - last;
      last = now;
      return level * difference * static_cast<float>(std::exp(-t * 80));
    });
  }
  void click(double timeS, float level = 0.7f) {
    add(timeS, 0.03, [&](double t) {
      return level * static_cast<float>(std::sin(2 * std::numbers::pi * 1500 * t) * std::exp(-t * 150));
    });
  }
  // A sustained chord of plain tones.
  void chord(double timeS, double seconds, const std::vector<double>& frequenciesHz, float level = 0.12f) {
    add(timeS, seconds, [&](double t) {
      double sum = 0;
      for (const double hz : frequenciesHz)
        sum += std::sin(2 * std::numbers::pi * hz * t) + 0.4 * std::sin(4 * std::numbers::pi * hz * t);
      const double edge = std::min(1.0, std::min(t, seconds - t) * 100);
      return level * static_cast<float>(sum * edge);
    });
  }

  std::vector<float> samples;

 private:
  void add(double timeS, double seconds, const std::function<float(double)>& sound) {
    const double start = timeS * kAnalysisRateHz;
    for (auto i = static_cast<std::int64_t>(std::ceil(start));
         static_cast<double>(i) < start + seconds * kAnalysisRateHz; ++i) {
      const float value = sound((static_cast<double>(i) - start) / kAnalysisRateHz);
      if (i >= 0 && i < static_cast<std::int64_t>(samples.size())) samples[i] += value;
    }
  }

  // No recording is silent between its notes.
  static constexpr float kRoomLevel = 0.002f;

  Noise noise_;
};

// Times of beats from `startS` while they are inside the track; the tempo may depend on the beat's time.
inline std::vector<double> beatTimes(double startS, double endS, const std::function<double(double)>& bpmAt) {
  std::vector<double> times;
  for (double t = startS; t < endS; t += 60 / bpmAt(t)) times.push_back(t);
  return times;
}

}  // namespace tonearm::drums
