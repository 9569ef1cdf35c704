#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/rhythm/beat_decoder.hpp"

namespace tonearm {

// Strength of onsets in each frequency range relative to its surroundings (8 s), a value a frame of
// MelFeatures.
using OnsetRanges = std::array<std::vector<float>, 3>;  // low, middle, high

// Removes every second beat when those are subdivisions: beats may differ in timbre (bass drum, snare), yet
// subdivisions are weaker than beats in all ranges. `framesPerOnset` is how many decoder frames one frame of
// the ranges spans.
void dropSubdivisions(std::vector<DecodedBeat>& beats, const OnsetRanges& ranges, int framesPerOnset,
                      double decoderRateHz);

}  // namespace tonearm
