#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tonearm {

struct Sniffed {
  const char* demuxer = nullptr;  // FFmpeg's short name of the one demuxer that may be opened
  const char* name = nullptr;     // for messages, e.g. "WAV"
  std::size_t offset = 0;  // where the audio file starts: behind ID3v2 tags and, for MP3 and AAC, behind junk
};

// The formats in words, for messages.
inline constexpr const char* kAcceptedFormats =
    "MP3, AAC/M4A, ALAC, FLAC, WAV, AIFF, Ogg Vorbis, Opus or WMA";

// Recognises the container by its first bytes alone. Throws Error{unsupportedMediaType} for everything that
// is not on the allow-list, naming what the bytes seem to be.
Sniffed sniff(std::span<const std::uint8_t> bytes);

}  // namespace tonearm
