#include "core/codec/declared_length.hpp"

#include <algorithm>
#include <string_view>

namespace tonearm {

namespace {

using Bytes = std::span<const std::uint8_t>;

// Little-endian; 0 beyond the end.
std::uint64_t number(Bytes bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | bytes[at + i];
  return value;
}

bool hasName(Bytes bytes, std::size_t at, std::string_view name) {
  return at + name.size() <= bytes.size() &&
         std::equal(name.begin(), name.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

std::optional<std::int64_t> wavDataBytes(Bytes bytes) {
  constexpr std::uint64_t kUnknown = 0xFFFFFFFF, kPlaceholder = 0x7FFFF000, kPlaceholderEnd = 0x80000000;
  constexpr std::uint64_t kSane = std::uint64_t{1} << 48;
  std::uint64_t size64 = 0;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {  // EBU Tech 3306 for ds64
    const std::uint64_t size = number(bytes, at + 4, 4);
    if (hasName(bytes, at, "ds64")) size64 = number(bytes, at + 16, 8);
    if (hasName(bytes, at, "data")) {
      if (size64 > 0) return size64 < kSane ? std::optional(static_cast<std::int64_t>(size64)) : std::nullopt;
      // From a header's worth below the limit on, since some write the limit as the size of the whole file.
      const bool placeholder =
          size == 0 || size == kUnknown || (size >= kPlaceholder && size <= kPlaceholderEnd);
      return placeholder ? std::nullopt : std::optional(static_cast<std::int64_t>(size));
    }
    at += 8 + static_cast<std::size_t>(size) + (size & 1);
  }
  return std::nullopt;
}

std::optional<double> asfDurationS(Bytes bytes) {
  // File properties object, ASF specification 3.2: file size at 40, play duration (100 ns) at 64, preroll
  // (ms) at 80, flags at 88 with bit 0 for "broadcast".
  constexpr std::uint8_t kGuid[] = {0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11,
                                    0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65};
  constexpr std::size_t kHeaderBytes = 64 * 1024;
  const auto head = bytes.first(std::min(bytes.size(), kHeaderBytes));
  const auto found = std::search(head.begin(), head.end(), std::begin(kGuid), std::end(kGuid));
  const Bytes object = head.subspan(static_cast<std::size_t>(found - head.begin()));
  if (object.size() < 92 || (number(object, 88, 4) & 1) != 0) return std::nullopt;
  const double playS = static_cast<double>(number(object, 64, 8)) / 1e7;
  const double prerollS = static_cast<double>(number(object, 80, 8)) / 1e3;
  return playS > prerollS ? std::optional(playS - prerollS) : std::nullopt;
}

}  // namespace tonearm
