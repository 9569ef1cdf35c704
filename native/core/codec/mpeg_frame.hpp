#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tonearm {

// A self-synchronising audio frame: MPEG-1/2/2.5 layer III (ISO/IEC 11172-3, 13818-3) or AAC in ADTS
// (13818-7).
struct MpegFrame {
  enum class Kind : std::uint8_t { mp3, adts };
  Kind kind = Kind::mp3;
  int version = 0;  // the header's own field: MPEG version or ADTS profile
  int sampleRateIndex = 0;
  std::size_t bytes = 0;  // the whole frame with its header
};

// Reads the frame header at the start of `bytes`; empty when there is none.
std::optional<MpegFrame> parseMpegFrame(std::span<const std::uint8_t> bytes);

struct MpegStream {
  MpegFrame::Kind kind = MpegFrame::Kind::mp3;
  std::size_t offset = 0;  // of the first frame
};

// Finds the first frame within `maxJunkBytes` from the start that is followed by more frames of its kind. A
// chance match in other data is ruled out by the length of the chain: 2 headers at offset 0 in a tiny file, 4
// otherwise.
std::optional<MpegStream> findMpegStream(std::span<const std::uint8_t> bytes, std::size_t maxJunkBytes);

}  // namespace tonearm
