#pragma once

#include <span>
#include <vector>

namespace tonearm {

struct Bars {
  std::vector<int> positions;  // of each beat, 1 = downbeat
  int metre = 0;               // beats in a bar that most beats lie in, 2–7; 0 without beats
};

// Weights of the bar model's evidence; see bar_decoder.cpp.
struct BarModel {
  float evidenceWeight = 1.5f;
  float metreChangeCost = 8.0f;  // of a bar followed by one of another length
};

// Finds the metre and the downbeats that explain the log odds of each beat being a downbeat best.
Bars decodeBars(std::span<const float> downbeatLogOdds, const BarModel& model = {});

}  // namespace tonearm
