#pragma once

#include <span>
#include <vector>

namespace tonearm {

// A run of beats at one tempo: beat i of it lies near startS + i · periodS.
struct TempoSegment {
  std::size_t firstBeat = 0;
  std::size_t beats = 0;
  double startS = 0;
  double periodS = 0;
};

// Splits beat times (increasing, at least 2) into the fewest runs of constant tempo that explain them up to a
// player's normal unsteadiness, each fitted by least squares.
std::vector<TempoSegment> fitTempo(std::span<const double> beatsS);

// The tempo that half the music is slower than and half faster, from the segments.
double medianBpm(std::span<const TempoSegment> segments);

}  // namespace tonearm
