#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/support/audio.hpp"

namespace tonearm {

// All values follow ITU-R BS.1770-5, EBU R 128, EBU Tech 3341 (v4) and 3342 (v4). A value that could not be determined
// is empty, and the matching reason says why: "audio_too_short" (less than the value's window) or "silent" (nothing
// above the absolute gate of −70 LUFS).
struct Loudness {
  std::optional<double> integratedLufs;
  std::optional<double> loudnessRangeLu;
  std::optional<double> maxMomentaryLufs;   // 400 ms window
  std::optional<double> maxShortTermLufs;   // 3 s window
  std::optional<double> truePeakDbtp;       // over all channels; at least 192 kHz after oversampling
  std::optional<double> samplePeakDbfs;
  const char* integratedReason = nullptr;
  const char* loudnessRangeReason = nullptr;
  const char* momentaryReason = nullptr;
  const char* shortTermReason = nullptr;
  const char* peakReason = nullptr;
  // One value every `timelineStepS` (window ending there), −infinity where silent. Empty unless asked for.
  double timelineStepS = 0.1;
  std::vector<double> momentaryLufs;
  std::vector<double> shortTermLufs;
};

struct LoudnessOptions {
  bool truePeak = true;
  bool timeline = false;
};

// A push stage: feed every decoded block, then finish() once. Memory is bounded for any duration (histogram gating or
// one float per 100 ms).
class LoudnessMeter {
 public:
  LoudnessMeter(const StreamFormat& format, const LoudnessOptions& options = {});
  ~LoudnessMeter();
  void push(const Block& block);
  Loudness finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
