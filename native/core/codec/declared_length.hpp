#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tonearm {

// Two headers that libavformat disbelieves, and then hides, when the file is shorter than they say; that is
// the very case in which they matter here.

// Size of the data chunk of a WAV, RF64 or BW64 file; empty when there is none or it is a placeholder, as
// programs that write to a pipe leave it (0, 0xFFFFFFFF; SoX 0x7FFFF000 and up, arecord 0x7FFFFFFF).
std::optional<std::int64_t> wavDataBytes(std::span<const std::uint8_t> bytes);

// Play duration of an ASF (WMA) file in seconds; empty for live streams.
std::optional<double> asfDurationS(std::span<const std::uint8_t> bytes);

}  // namespace tonearm
