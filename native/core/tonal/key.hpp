#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/support/audio.hpp"
#include "core/support/cancel.hpp"

namespace tonearm {

struct KeyCandidate {
  int tonic = 0;  // pitch class, 0 = C … 11 = B
  bool minor = false;
  double confidence = 0;  // 0–1, calibrated: of all answers given 0.8, eight in ten are right
};

struct Key {
  // Ranked, most probable first, all 24 scored and the best few kept; empty when undetermined.
  std::vector<KeyCandidate> candidates;
  std::optional<double> tuningHz;  // frequency of A4, 427–453
  const char* reason = nullptr;    // why undetermined: "audio_too_short", "silent", "no_tonal_content"
};

// A push stage over the analysis signal (mono, kAnalysisRateHz).
class KeyDetector {
 public:
  KeyDetector();
  ~KeyDetector();
  void push(std::span<const float> mono);
  // Throws Error{canceled} soon after the flag is raised.
  Key finish(CancelToken cancel = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
