#pragma once

#include <vector>

namespace tonearm {

// Evidence for beats and downbeats, one value a frame of MelFeatures: the log odds that a beat (that a beat
// here is a downbeat) falls on it.
struct Activations {
  std::vector<float> beatLogOdds;
  std::vector<float> downbeatLogOdds;
};

}  // namespace tonearm
