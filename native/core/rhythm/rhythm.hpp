#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/rhythm/beat_weights.hpp"
#include "core/support/audio.hpp"
#include "core/support/cancel.hpp"

namespace tonearm {

struct TempoCandidate {
  double bpm = 0;
  double confidence = 0;  // 0–1
};

struct TempoChange {
  double timeS = 0;
  double bpm = 0;
};

struct Rhythm {
  // Best first; empty when undetermined.
  std::vector<TempoCandidate> tempi;
  std::optional<double> altBpm;           // half or double of the best, only when it is in doubt
  int timeSignature = 0;                  // beats in a bar, 2–7; 0 when undetermined
  std::vector<double> beatsS;             // strictly increasing
  std::vector<int> positions;             // place in the bar of each beat, 1 = downbeat; as long as beatsS
  std::vector<TempoChange> tempoChanges;  // first entry at the first beat
  const char* reason = nullptr;           // why undetermined: "audio_too_short", "silent", "no_beat"
};

// A push stage over the analysis signal (mono, kAnalysisRateHz). Works from 40 to 240 BPM.
class RhythmTracker {
 public:
  // `beatWeights`: the beat network's (see beat_network.hpp); without any, onset strength is the evidence for
  // beats, which costs half the time and is less sure of octave and downbeats.
  explicit RhythmTracker(std::span<const std::uint8_t> beatWeights = shippedBeatWeights());
  ~RhythmTracker();
  void push(std::span<const float> mono);
  // Throws Error{canceled} soon after the flag is raised.
  Rhythm finish(CancelToken cancel = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
