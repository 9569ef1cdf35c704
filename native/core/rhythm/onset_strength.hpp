#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/rhythm/activations.hpp"
#include "core/rhythm/subdivision.hpp"

namespace tonearm {

// The classical evidence for beats: how much louder each of three frequency ranges gets from frame to frame,
// and how much the spectrum after a frame differs from the one before it. Takes rows of MelFeatures; keeps
// four numbers a frame.
class OnsetStrength {
 public:
  OnsetStrength();
  void push(std::span<const float> features, std::size_t frames);
  // Values are relative to their surroundings (8 s), so loud and soft passages count alike.
  Activations finish();
  // After finish().
  const OnsetRanges& ranges() const noexcept { return ranges_; }

 private:
  void pushFrame(const float* features);
  void pushChange(const float* features);

  std::vector<float>
      previous_;  // features of the last frame, widened: the maximum of each band and its neighbours
  OnsetRanges ranges_;
  std::vector<float> change_;
  std::vector<float> ring_;             // features of the last 2 · kChangeFrames frames
  std::vector<double> before_, after_;  // their sums, first and second half
};

}  // namespace tonearm
