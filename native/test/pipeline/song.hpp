#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/dsp/resampler.hpp"
#include "encode.hpp"
#include "rhythm/drum_machine.hpp"
#include "tonal/band.hpp"

// A whole song for tests of the pipeline: 120 BPM in 4/4, cadences in a major key, drums and a steady hat.
namespace song {

inline constexpr int kRateHz = 44100;
inline constexpr double kBpm = 120;

// Stereo at kRateHz with the same signal in both channels; `tonic` is a pitch class.
inline fixture::Planar play(double seconds, int tonic) {
  tonearm::drums::Track track(seconds);
  const double beatS = 60 / kBpm;
  int beat = 0;
  for (double t = 0; t < seconds; t += beatS, ++beat) {
    if (beat % 2 == 0)
      track.kick(t, beat % 4 == 0 ? 0.8F : 0.6F);
    else
      track.snare(t, 0.3F);
    track.hat(t, 0.1F);
    track.hat(t + beatS / 2, 0.1F);
  }
  constexpr double kCadenceS = 4;
  band::addCadences(track.samples, 0, tonic, false, static_cast<int>(seconds / kCadenceS));

  std::vector<float> channel;
  tonearm::Resampler resampler(tonearm::kAnalysisRateHz, kRateHz, 1,
                               [&](std::span<const float* const> channels, std::size_t frames) {
                                 channel.insert(channel.end(), channels[0], channels[0] + frames);
                               });
  const float* samples = track.samples.data();
  resampler.push({&samples, 1}, track.samples.size());
  resampler.finish();
  for (float& sample : channel) sample *= 0.4F;  // no clipping in the integer formats
  return {channel, channel};
}

}  // namespace song
