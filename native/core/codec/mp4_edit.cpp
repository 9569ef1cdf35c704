#include "core/codec/mp4_edit.hpp"

#include <string_view>

namespace tonearm {

namespace {

using Bytes = std::span<const std::uint8_t>;

// Big-endian; 0 beyond the end.
std::uint64_t number(Bytes bytes, std::size_t at, std::size_t size) {
  if (at + size > bytes.size()) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes[at + i];
  return value;
}

std::uint32_t fourCc(std::string_view name) {
  return static_cast<std::uint32_t>(name[0]) << 24 | static_cast<std::uint32_t>(name[1]) << 16 |
         static_cast<std::uint32_t>(name[2]) << 8 | static_cast<std::uint32_t>(name[3]);
}

// Calls `visit(type, content)` for every box in `bytes` until it returns false.
template <typename Visit>
void eachBox(Bytes bytes, Visit visit) {
  while (bytes.size() >= 8) {
    std::uint64_t size = number(bytes, 0, 4);
    std::size_t header = 8;
    if (size == 1) {
      size = number(bytes, 8, 8);
      header = 16;
    }
    if (size == 0 || size > bytes.size()) size = bytes.size();  // 0: to the end; larger: cut off
    if (size < header) return;
    const auto length = static_cast<std::size_t>(size);
    if (!visit(static_cast<std::uint32_t>(number(bytes, 4, 4)), bytes.subspan(header, length - header)))
      return;
    bytes = bytes.subspan(length);
  }
}

// The content of the first box along a path of types; empty when there is none.
Bytes find(Bytes bytes, std::initializer_list<std::string_view> path) {
  for (const std::string_view name : path) {
    Bytes found;
    eachBox(bytes, [&](std::uint32_t type, Bytes content) {
      if (type == fourCc(name)) found = content;
      return found.data() == nullptr;
    });
    bytes = found;
  }
  return bytes;
}

// Full boxes start with a version byte; version 1 has 64-bit times.
bool wide(Bytes box) {
  return !box.empty() && box[0] == 1;
}
std::uint64_t timescaleOf(Bytes header) {
  return number(header, wide(header) ? 20 : 12, 4);
}

// Σ of all sample durations; 0 for fragmented files, whose samples lie elsewhere.
std::int64_t totalDuration(Bytes stts) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 48;
  std::uint64_t total = 0;
  const std::uint64_t entries = number(stts, 4, 4);
  for (std::uint64_t i = 0; i < entries && 8 + 8 * i + 8 <= stts.size() && total < kLimit; ++i) {
    const auto at = static_cast<std::size_t>(8 + 8 * i);
    total += number(stts, at, 4) * number(stts, at + 4, 4);
  }
  return static_cast<std::int64_t>(total < kLimit ? total : 0);
}

struct Segment {
  std::uint64_t duration = 0;  // movie ticks, 0: to the end
  std::int64_t start = 0;      // media units
};

// The first edit that shows media; the empty ones before it only delay the track against others.
std::optional<Segment> firstSegment(Bytes elst) {
  const std::size_t word = wide(elst) ? 8 : 4;
  const std::uint64_t entries = number(elst, 4, 4);
  const std::size_t stride = 2 * word + 4;
  for (std::uint64_t i = 0; i < entries && 8 + (i + 1) * stride <= elst.size(); ++i) {
    const auto at = static_cast<std::size_t>(8 + i * stride);
    const std::uint64_t raw = number(elst, at + word, word);
    const std::int64_t start = word == 8 ? static_cast<std::int64_t>(raw) : static_cast<std::int32_t>(raw);
    if (start >= 0) return Segment{number(elst, at, word), start};
  }
  return std::nullopt;
}

Mp4Edit editOf(Bytes track, std::uint64_t movieTimescale) {
  Mp4Edit edit;
  edit.timescale = static_cast<std::int64_t>(timescaleOf(find(track, {"mdia", "mdhd"})));
  const std::int64_t total = totalDuration(find(track, {"mdia", "minf", "stbl", "stts"}));
  const auto segment = firstSegment(find(track, {"edts", "elst"}));
  // Anything that skips the whole track is nonsense.
  if (segment && (total == 0 || segment->start < total)) edit.start = segment->start;
  if (total > 0) edit.length = total - edit.start;
  if (!segment || segment->duration == 0 || movieTimescale == 0 || edit.timescale == 0) return edit;
  const double unitsPerTick = static_cast<double>(edit.timescale) / static_cast<double>(movieTimescale);
  const double shown = static_cast<double>(segment->duration) * unitsPerTick;
  // The edit ends the audio only where it is shorter than the samples by more than its rounding.
  if (edit.length && shown > 0 && shown < static_cast<double>(*edit.length) - unitsPerTick)
    edit.length = static_cast<std::int64_t>(shown + 0.5);
  return edit;
}

}  // namespace

std::optional<Mp4Edit> readMp4Edit(std::span<const std::uint8_t> bytes, std::uint32_t trackId) {
  const Bytes movie = find(bytes, {"moov"});
  const std::uint64_t movieTimescale = timescaleOf(find(movie, {"mvhd"}));
  std::optional<Mp4Edit> edit;
  eachBox(movie, [&](std::uint32_t type, Bytes track) {
    if (type != fourCc("trak")) return true;
    const Bytes header = find(track, {"tkhd"});
    if (number(header, wide(header) ? 20 : 12, 4) != trackId) return true;
    edit = editOf(track, movieTimescale);
    return false;
  });
  return edit;
}

}  // namespace tonearm
