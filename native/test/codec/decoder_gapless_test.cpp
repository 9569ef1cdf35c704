// iTunes' own tag for gapless playback, which its AAC files carry instead of an exact edit list.
#include <cstring>
#include <string>

#include "check.hpp"
#include "decode.hpp"

using namespace tonearm;
using namespace fixture;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::size_t kFrames = 50021;

void put32(Bytes& bytes, std::size_t at, std::size_t big) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(big >> (24 - 8 * i));
}

std::size_t get32(const Bytes& bytes, std::size_t at) {
  std::size_t big = 0;
  for (std::size_t i = 0; i < 4; ++i) big = big << 8 | bytes[at + i];
  return big;
}

Bytes box(const std::string& type, const std::string& content) {
  Bytes bytes(4);
  bytes.insert(bytes.end(), type.begin(), type.end());
  bytes.insert(bytes.end(), content.begin(), content.end());
  put32(bytes, 0, bytes.size());
  return bytes;
}

std::string text(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

// The M4A with a free-form iTunes tag appended to its list of metadata, which ends the file.
Bytes tagged(Bytes m4a, const std::string& value) {
  const std::string none(4, '\0'), utf8 = std::string(3, '\0') + '\1';
  const Bytes tag =
      box("----", text(box("mean", none + "com.apple.iTunes")) + text(box("name", none + "iTunSMPB")) +
                      text(box("data", utf8 + none + value)));
  for (const std::string type : {"moov", "udta", "meta", "ilst"}) {
    const std::size_t start = text(m4a).rfind(type) - 4;
    CHECK(start + get32(m4a, start) == m4a.size());  // each of them ends with the file
    put32(m4a, start, get32(m4a, start) + tag.size());
  }
  m4a.insert(m4a.end(), tag.begin(), tag.end());
  return m4a;
}

Bytes plain() {
  return encode(sinesOf(kFrames, 44100), {"ipod", "aac", 44100, 128000, "", {}});
}

}  // namespace

TEST("iTunes' tag says which samples of an M4A are the audio") {
  const Planar whole = decode(plain()).audio;
  CHECK(whole[0].size() == kFrames);
  // FFmpeg's encoder has 1024 samples of delay; this tag leaves out 100 more, and ends after 40,000 (9C40).
  const Planar part =
      decode(tagged(plain(), " 00000000 00000464 00000000 0000000000009C40 00000000 00000000")).audio;
  CHECK(part.size() == 2);
  for (std::size_t c = 0; c < part.size(); ++c)
    CHECK(part[c] == std::vector<float>(whole[c].begin() + 100, whole[c].begin() + 40100));
}

TEST("a tag of iTunes' that makes no sense is passed over") {
  for (const char* value :
       {"", "gapless", " 00000000 00000464", " 00000000 00000464 00000000 0000000000000000"})
    CHECK(decode(tagged(plain(), value)).frames() == kFrames);
}
