#include "core/codec/mpeg_frame.hpp"

#include <algorithm>
#include <array>

namespace tonearm {

namespace {

// kbit/s of layer III by bitrate index 1–14: ISO/IEC 11172-3 table (MPEG-1) and 13818-3 (MPEG-2 and 2.5).
constexpr std::array<int, 15> kBitrateMpeg1 = {0,   32,  40,  48,  56,  64,  80, 96,
                                               112, 128, 160, 192, 224, 256, 320};
constexpr std::array<int, 15> kBitrateMpeg2 = {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160};
constexpr std::array<int, 3> kSampleRateMpeg1 = {44100, 48000, 32000};

constexpr int kMpeg25 = 0, kMpegReserved = 1, kMpeg1 = 3;

std::optional<MpegFrame> parseMp3(std::span<const std::uint8_t> b) {
  const int version = (b[1] >> 3) & 3;
  const int bitrateIndex = b[2] >> 4;
  const int rateIndex = (b[2] >> 2) & 3;
  const int emphasis = b[3] & 3;
  // Bitrate index 0 is "free format", which no decoder in use reads reliably.
  if (version == kMpegReserved || bitrateIndex == 0 || bitrateIndex == 15 || rateIndex == 3 || emphasis == 2)
    return std::nullopt;
  const auto at = static_cast<std::size_t>(bitrateIndex);
  const int kbitPerS = version == kMpeg1 ? kBitrateMpeg1[at] : kBitrateMpeg2[at];
  const int divisor = version == kMpeg1 ? 1 : version == kMpeg25 ? 4 : 2;
  const int sampleRateHz = kSampleRateMpeg1[static_cast<std::size_t>(rateIndex)] / divisor;
  const int bytesPerBit = version == kMpeg1 ? 144 : 72;  // samples a frame / 8
  const int padding = (b[2] >> 1) & 1;
  return MpegFrame{MpegFrame::Kind::mp3, version, rateIndex,
                   static_cast<std::size_t>(bytesPerBit * kbitPerS * 1000 / sampleRateHz + padding)};
}

std::optional<MpegFrame> parseAdts(std::span<const std::uint8_t> b) {
  if (b.size() < 7) return std::nullopt;
  const int profile = b[2] >> 6;
  const int rateIndex = (b[2] >> 2) & 15;
  const std::size_t bytes = static_cast<std::size_t>((b[3] & 3) << 11 | b[4] << 3 | b[5] >> 5);
  if (rateIndex > 12 || bytes < 8) return std::nullopt;
  return MpegFrame{MpegFrame::Kind::adts, profile, rateIndex, bytes};
}

// How many headers follow each other from `offset` on, up to `enough`; `reachedEnd` when the last frame ends
// at or beyond the end of the bytes.
int chainLength(std::span<const std::uint8_t> bytes, std::size_t offset, int enough, bool& reachedEnd) {
  reachedEnd = false;
  std::optional<MpegFrame> first;
  for (int count = 0; count < enough; ++count) {
    if (offset >= bytes.size()) {
      reachedEnd = true;
      return count;
    }
    const auto frame = parseMpegFrame(bytes.subspan(offset));
    if (!frame) {
      constexpr std::size_t kId3v1Bytes = 128;
      reachedEnd = bytes.size() - offset <= kId3v1Bytes;
      return count;
    }
    if (!first) first = frame;
    if (frame->kind != first->kind || frame->version != first->version ||
        frame->sampleRateIndex != first->sampleRateIndex)
      return count;
    offset += frame->bytes;
  }
  return enough;
}

}  // namespace

std::optional<MpegFrame> parseMpegFrame(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 4 || bytes[0] != 0xFF || (bytes[1] & 0xE0) != 0xE0) return std::nullopt;
  const int layer = (bytes[1] >> 1) & 3;
  if (layer == 1) return parseMp3(bytes);
  if (layer == 0 && (bytes[1] & 0xF0) == 0xF0) return parseAdts(bytes);
  return std::nullopt;
}

std::optional<MpegStream> findMpegStream(std::span<const std::uint8_t> bytes, std::size_t maxJunkBytes) {
  constexpr int kEnough = 4;
  const std::size_t last = std::min(bytes.size(), maxJunkBytes + 1);
  for (std::size_t offset = 0; offset < last; ++offset) {
    if (bytes[offset] != 0xFF) continue;
    bool reachedEnd = false;
    const int chain = chainLength(bytes, offset, kEnough, reachedEnd);
    if (chain == kEnough || (reachedEnd && chain >= (offset == 0 ? 2 : 3)))
      return MpegStream{parseMpegFrame(bytes.subspan(offset))->kind, offset};
  }
  return std::nullopt;
}

}  // namespace tonearm
