#pragma once

#include <cstdint>
#include <vector>

#include "core/loudness/loudness.hpp"
#include "core/loudness/sliding_sum.hpp"

namespace tonearm {

// First frame of the 10 ms sub-block `index`, counted without drift at rates that 10 ms do not divide.
inline std::int64_t subBlockStart(std::int64_t index, int sampleRateHz) {
  return (index * sampleRateHz + 50) / 100;
}

// From the energies of 10 ms sub-blocks to everything that is read off windows over them. Maxima are taken
// every 10 ms, gating blocks and the loudness range every 100 ms. Keeps 16 bytes a 100 ms (576 kB an hour),
// the timeline 16 more.
class LoudnessWindows {
 public:
  LoudnessWindows(int sampleRateHz, bool timeline);
  // `energy`: Σ over channels of weight · Σ (K-weighted sample)² of the next sub-block.
  void push(double energy);
  // Fills all fields of `result` but the peaks.
  void finish(Loudness& result) const;

 private:
  // Frames of the window of `length` sub-blocks that ends with the current one.
  double windowFrames(std::int64_t length) const;

  int sampleRateHz_;
  bool timeline_;
  std::int64_t subBlocks_ = 0;
  SlidingSum momentary_, shortTerm_;
  double maxMomentary_ = 0.0, maxShortTerm_ = 0.0;             // mean squares
  std::vector<double> gatingBlocks_, rangeWindows_;            // mean squares above the absolute gate
  std::vector<double> momentaryTimeline_, shortTermTimeline_;  // LUFS
};

}  // namespace tonearm
