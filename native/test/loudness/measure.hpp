#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "core/loudness/loudness.hpp"
#include "signals.hpp"

// More signals, for the loudness tests, and short ways to have them measured.
namespace signals {

using tonearm::ChannelRole;

inline tonearm::StreamFormat format(int rateHz, std::size_t channels = 2) {
  return {rateHz, std::vector<ChannelRole>(channels, ChannelRole::main)};
}

inline double amplitude(double db) {
  return std::pow(10.0, db / 20.0);
}

// A stretch of tone: its level in dBFS (peak of the sine) and how long it lasts.
struct Tone {
  double db;
  double seconds;
};
inline constexpr double kSilenceDb = -1000.0;  // the amplitude is then below the smallest float

// A 1 kHz sine that changes its level, phase-continuous, in one channel.
inline std::vector<float> tones(int rateHz, const std::vector<Tone>& list) {
  constexpr double kHz = 1000.0;
  const double step = 2.0 * std::numbers::pi * kHz / rateHz, c = std::cos(step), s = std::sin(step);
  double re = 1.0, im = 0.0;  // rotates by `step` a sample
  std::vector<float> out;
  for (const Tone& tone : list) {
    const double level = amplitude(tone.db);
    const auto frames = static_cast<std::size_t>(std::lround(tone.seconds * rateHz));
    for (std::size_t n = 0; n < frames; ++n) {
      out.push_back(static_cast<float>(level * im));
      const double next = re * c - im * s;
      im = re * s + im * c;
      re = next;
    }
  }
  return out;
}

inline std::vector<float> noise(std::size_t frames, float amplitude, std::uint64_t seed = 1) {
  std::vector<float> out = noise(frames, seed);
  for (float& x : out) x *= amplitude;
  return out;
}

using Channels = std::vector<const std::vector<float>*>;

// Measures channels of equal length, handed over in blocks of the lengths that `blockFrames` gives for each
// position.
inline tonearm::Loudness measure(
    const tonearm::StreamFormat& format, const Channels& channels,
    const tonearm::LoudnessOptions& options = {},
    const std::function<std::size_t(std::size_t)>& blockFrames = [](std::size_t) {
      return std::size_t{4096};
    }) {
  tonearm::LoudnessMeter meter(format, options);
  const std::size_t frames = channels.empty() ? 0 : channels[0]->size();
  std::vector<const float*> pointers(channels.size());
  for (std::size_t done = 0; done < frames;) {
    const std::size_t count = std::min(blockFrames(done), frames - done);
    for (std::size_t c = 0; c < channels.size(); ++c) pointers[c] = channels[c]->data() + done;
    meter.push({pointers, count});
    done += count;
  }
  return meter.finish();
}

// The same signal on both channels of a stereo stream.
inline tonearm::Loudness measureStereo(int rateHz, const std::vector<float>& signal,
                                       const tonearm::LoudnessOptions& options = {}) {
  return measure(format(rateHz), {&signal, &signal}, options);
}

}  // namespace signals
