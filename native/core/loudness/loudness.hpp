#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/support/audio.hpp"

namespace tonearm {

// All values follow ITU-R BS.1770-5, EBU R 128, EBU Tech 3341 (v4) and 3342 (v4). A value that could not be
// determined is empty, and the matching reason says why: "audio_too_short" (less than the value's window; no
// sample at all for the peaks) or "silent" (nothing above the absolute gate of −70 LUFS for the two gated
// values, integrated and range; digital silence for the others).
struct Loudness {
  std::optional<double> integratedLufs;
  std::optional<double> loudnessRangeLu;
  std::optional<double> maxMomentaryLufs;  // 400 ms window
  std::optional<double> maxShortTermLufs;  // 3 s window
  std::optional<double> truePeakDbtp;      // over all channels, LFE included; interpolated four-fold
  std::optional<double> samplePeakDbfs;
  const char* integratedReason = nullptr;
  const char* loudnessRangeReason = nullptr;
  const char* momentaryReason = nullptr;
  const char* shortTermReason = nullptr;
  const char* peakReason = nullptr;
  // One value every `timelineStepS`, for the window that ends there (what lies before the start counts as
  // silence); −infinity where silent. Empty unless asked for.
  double timelineStepS = 0.1;
  std::vector<double> momentaryLufs;
  std::vector<double> shortTermLufs;
};

struct LoudnessOptions {
  bool truePeak = true;
  bool timeline = false;
};

// A push stage: feed every decoded block, then finish() once. Readings do not depend on how the stream is cut
// into blocks. Keeps 576 kB an hour at most (16 bytes every 100 ms), twice that with a timeline. Throws
// Error{invalidParameter} for a sample rate outside 8000–192000 Hz or other than 1–8 channels.
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
