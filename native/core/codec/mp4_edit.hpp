#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tonearm {

// Which part of an MP4 audio track is to be heard, in units of the track's own clock; outside of it lie the
// encoder's delay and padding.
struct Mp4Edit {
  std::int64_t timescale = 0;          // units a second
  std::int64_t start = 0;              // units to skip
  std::optional<std::int64_t> length;  // units after `start`; empty: to the end
};

// Reads the boxes of ISO/IEC 14496-12 that tell (mvhd, tkhd, mdhd, elst, stts) for the track with this id;
// empty when the file has no such track. libavformat applies edit lists itself, but ends the audio at the
// edit's own duration, which is in ticks of a movie clock of often only 1/1000 or 1/600 s; the sample
// durations know the end exactly.
std::optional<Mp4Edit> readMp4Edit(std::span<const std::uint8_t> bytes, std::uint32_t trackId);

}  // namespace tonearm
