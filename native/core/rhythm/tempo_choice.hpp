#pragma once

#include <span>
#include <vector>

#include "core/rhythm/beat_decoder.hpp"

namespace tonearm {

// A metrical level beside the decoded one: `ratio` times its tempo.
struct TempoLevel {
  double ratio = 1;
  double confidence = 0;  // 0–1; those of all levels add up to 1 at most
};

struct TempoChoice {
  std::vector<TempoLevel> levels;  // the most likely first
  bool inDoubt = false;            // the second is not much less likely than the first
  double evidence = 0;             // mean log odds of the decoded beats; below 0 there is no pulse
};

// How well the evidence supports the decoded beats against every second of them and twice as many.
TempoChoice weighLevels(std::span<const float> beatLogOdds, std::span<const DecodedBeat> beats,
                        double frameRateHz);

}  // namespace tonearm
