#pragma once

#include <vector>

namespace tonearm {

// Evidence, one value a frame of MelFeatures: the log odds that a beat falls on it, and that a downbeat does.
struct Activations {
  std::vector<float> beatLogOdds;
  std::vector<float> downbeatLogOdds;
};

}  // namespace tonearm
