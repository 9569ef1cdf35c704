#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/codec/decoder.hpp"
#include "core/loudness/loudness.hpp"
#include "core/rhythm/rhythm.hpp"
#include "core/support/cancel.hpp"
#include "core/support/mapped_file.hpp"
#include "core/tonal/key.hpp"

namespace tonearm {

// Which stages to feed. Only what is asked for is computed.
struct AnalysisRequest {
  bool rhythm = false;
  bool key = false;
  bool loudness = false;
  bool loudnessTimeline = false;
  double minDurationS = 0;         // shorter audio is Error{audioTooShort}
  double maxDurationS = 3 * 3600;  // longer audio is Error{audioTooLong}
};

struct Analysis {
  AudioInfo audio;
  double durationS = 0;  // decoded frames over the sample rate
  std::optional<Rhythm> rhythm;
  std::optional<Key> key;
  std::optional<Loudness> loudness;
};

// One pass: decode a block, feed every stage that was asked for, drop the block. Memory does not grow with
// the decoded length beyond what the stages state for themselves. Throws what Decoder throws, and
// audioTooShort.
Analysis analyze(std::span<const std::uint8_t> bytes, const AnalysisRequest& request,
                 CancelToken cancel = {});

// The same for a file on disk, of which little is in memory at any time.
Analysis analyze(const MappedFile& file, const AnalysisRequest& request, CancelToken cancel = {});

}  // namespace tonearm
