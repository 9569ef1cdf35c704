#include "core/codec/sniff.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/codec/mpeg_frame.hpp"
#include "core/support/error.hpp"

namespace tonearm {

namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view magic;
  std::string_view second;  // must stand at `secondAt`
  std::size_t secondAt;
  const char* demuxer;  // null: known, but not accepted
  const char* name;
};

constexpr auto kW64Guid = "riff\x2E\x91\xCF\x11\xA5\xD6\x28\xDB\x04\xC1\x00\x00"sv;
constexpr auto kAsfGuid = "\x30\x26\xB2\x75\x8E\x66\xCF\x11\xA6\xD9\x00\xAA\x00\x62\xCE\x6C"sv;

constexpr auto kSignatures = std::to_array<Signature>({
    {"RIFF", "WAVE", 8, "wav", "WAV"},
    {"RF64", "WAVE", 8, "wav", "WAV (RF64)"},
    {"BW64", "WAVE", 8, "wav", "WAV (BW64)"},
    {kW64Guid, "", 0, "w64", "Wave64"},
    {"FORM", "AIFF", 8, "aiff", "AIFF"},
    {"FORM", "AIFC", 8, "aiff", "AIFF"},
    {"fLaC", "", 0, "flac", "FLAC"},
    {"OggS", "", 0, "ogg", "Ogg"},
    {kAsfGuid, "", 0, "asf", "WMA"},
    {"", "ftyp", 4, "mov", "MP4/M4A"},
    {"", "moov", 4, "mov", "MP4/M4A"},
    {"", "mdat", 4, "mov", "MP4/M4A"},
    {"", "wide", 4, "mov", "MP4/M4A"},
    {"", "free", 4, "mov", "MP4/M4A"},
    {"\x89PNG", "", 0, nullptr, "a PNG image"},
    {"\xFF\xD8\xFF", "", 0, nullptr, "a JPEG image"},
    {"GIF8", "", 0, nullptr, "a GIF image"},
    {"RIFF", "WEBP", 8, nullptr, "a WebP image"},
    {"RIFF", "AVI ", 8, nullptr, "an AVI video"},
    {"\x1A\x45\xDF\xA3", "", 0, nullptr, "a Matroska or WebM file"},
    {"FLV\x01", "", 0, nullptr, "a Flash video"},
    {"PK\x03\x04", "", 0, nullptr, "a ZIP archive"},
    {"PK\x05\x06", "", 0, nullptr, "a ZIP archive"},
    {"\x1F\x8B", "", 0, nullptr, "a gzip archive"},
    {"7z\xBC\xAF\x27\x1C", "", 0, nullptr, "a 7z archive"},
    {"Rar!", "", 0, nullptr, "a RAR archive"},
    {"%PDF", "", 0, nullptr, "a PDF document"},
    {"MThd", "", 0, nullptr, "a MIDI file, which holds notes but no audio"},
    {"caff", "", 0, nullptr, "a Core Audio (CAF) file"},
    {"wvpk", "", 0, nullptr, "a WavPack file"},
    {"MAC ", "", 0, nullptr, "a Monkey's Audio file"},
});

bool has(std::span<const std::uint8_t> bytes, std::size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() &&
         std::equal(text.begin(), text.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

// Bytes that ID3v2 tags (id3.org, ID3v2.4 structure, 3.1) take at the start, and zero padding behind them.
std::size_t id3Bytes(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kHeader = 10;
  std::size_t at = 0;
  while (has(bytes, at, "ID3") && bytes.size() - at >= kHeader) {
    const auto* size = bytes.data() + at + 6;
    if ((size[0] | size[1] | size[2] | size[3]) & 0x80) break;  // seven bits a byte
    const bool footer = (bytes[at + 5] & 0x10) != 0;
    at += kHeader + static_cast<std::size_t>(size[0] << 21 | size[1] << 14 | size[2] << 7 | size[3]) +
          (footer ? kHeader : 0);
    if (at >= bytes.size()) return bytes.size();
    const auto rest = bytes.subspan(at);
    const auto content = std::find_if(rest.begin(), rest.end(), [](std::uint8_t b) { return b != 0; });
    at += static_cast<std::size_t>(content - rest.begin());
  }
  return at;
}

// Control characters do not occur in text, and 0xF8 and above not in UTF-8.
bool looksLikeText(std::span<const std::uint8_t> bytes) {
  const auto head = bytes.first(std::min<std::size_t>(bytes.size(), 512));
  return std::all_of(head.begin(), head.end(), [](std::uint8_t b) {
    return (b >= 0x20 && b < 0xF8 && b != 0x7F) || b == '\n' || b == '\r' || b == '\t';
  });
}

[[noreturn]] void reject(const std::string& what) {
  throw Error(ErrorCode::unsupportedMediaType, what + " Send " + kAcceptedFormats + ".");
}

}  // namespace

Sniffed sniff(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) reject("The file is empty.");
  const std::size_t start = id3Bytes(bytes);
  const auto body = bytes.subspan(start);
  if (body.empty()) reject("The file holds nothing but an ID3 tag.");
  for (const Signature& known : kSignatures) {
    if (!has(body, 0, known.magic) || !has(body, known.secondAt, known.second)) continue;
    if (known.demuxer == nullptr)
      reject(std::string("This is ") + known.name + ", not an accepted audio format.");
    return {known.demuxer, known.name, start};
  }
  // Streams that begin in the middle of a frame, or behind a foreign header, are common; more junk than this
  // is not.
  constexpr std::size_t kMaxJunkBytes = 64 * 1024;
  if (const auto stream = findMpegStream(body, kMaxJunkBytes)) {
    const bool mp3 = stream->kind == MpegFrame::Kind::mp3;
    return {mp3 ? "mp3" : "aac", mp3 ? "MP3" : "AAC", start + stream->offset};
  }
  if (looksLikeText(body)) reject("This is text, not audio.");
  reject("The bytes are no audio format known here.");
}

}  // namespace tonearm
