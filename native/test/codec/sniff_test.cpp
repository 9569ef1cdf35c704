#include "core/codec/sniff.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "check.hpp"
#include "decode.hpp"

using namespace tonearm;
using namespace fixture;
using Bytes = std::vector<std::uint8_t>;

namespace {

Bytes bytesOf(std::string_view text) {
  return {text.begin(), text.end()};
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// An ID3v2.4 tag with `size` bytes of content.
Bytes id3(std::size_t size) {
  Bytes tag(10 + size, 0x5A);
  const auto sevenBits = [&](int shift) { return static_cast<std::uint8_t>(size >> shift & 127); };
  const Bytes header = {'I', 'D', '3', 4, 0, 0, sevenBits(21), sevenBits(14), sevenBits(7), sevenBits(0)};
  std::copy(header.begin(), header.end(), tag.begin());
  return tag;
}

std::string messageOf(const Bytes& bytes) {
  try {
    sniff(bytes);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::unsupportedMediaType);
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& message, std::string_view part) {
  if (message.find(part) != std::string::npos) return true;
  check::fail(__FILE__, __LINE__, "message is: " + message);
  return false;
}

const Encoding kMp3{"mp3", "libmp3lame", 44100, 128000, "", {}};

}  // namespace

TEST("what is no audio is refused by what it is") {
  CHECK(says(messageOf({}), "empty"));
  CHECK(says(messageOf(bytesOf("Dear Sir or Madam,\nplease find enclosed")), "text"));
  CHECK(says(messageOf(bytesOf("\x89PNG\r\n\x1A\n.....IHDR")), "PNG"));
  CHECK(says(messageOf(bytesOf("PK\x03\x04..............")), "ZIP"));
  CHECK(says(messageOf(bytesOf("%PDF-1.7 .............")), "PDF"));
  CHECK(says(messageOf(bytesOf("RIFF....AVI LIST")), "AVI"));
  CHECK(says(messageOf(bytesOf("MThd\0\0\0\6")), "MIDI"));
  CHECK(says(messageOf(bytesOf("#EXTM3U\nhttp://example.com/a.mp3\n")), "text"));
  CHECK(says(messageOf(id3(100)), "ID3"));
  CHECK(says(messageOf(Bytes(1000, 0xFF)), "no audio format"));
  CHECK(says(messageOf(bytesOf("PK\x03\x04..............")), kAcceptedFormats));
}

TEST("noise of any length is no audio") {
  std::mt19937 random(1);
  for (const std::size_t size : {1u, 2u, 3u, 4u, 10u, 100u, 5000u, 300000u}) {
    for (int round = 0; round < 20; ++round) {
      Bytes noise(size);
      for (auto& byte : noise) byte = static_cast<std::uint8_t>(random());
      CHECK(messageOf(noise) != "accepted");
    }
  }
}

TEST("an MP3 is found behind ID3 tags, cover art, zeros and junk, with the same samples") {
  const Bytes mp3 = encode(sines(2, 44100), kMp3);
  const auto expected = decode(mp3).audio;
  CHECK(decode(joined(id3(1000), mp3)).audio == expected);
  CHECK(decode(joined(id3(2'000'000), mp3)).audio == expected);
  CHECK(decode(joined(joined(id3(10), id3(20)), mp3)).audio == expected);
  CHECK(decode(joined(joined(id3(10), Bytes(5000, 0)), mp3)).audio == expected);
  CHECK(decode(joined(Bytes(3000, 0), mp3)).audio == expected);
  CHECK(decode(joined(Bytes(3000, 0xFF), mp3)).audio == expected);
  CHECK(decode(joined(bytesOf("HTTP/1.1 200 OK\r\n\r\n"), mp3)).audio == expected);
  CHECK_THROWS(ErrorCode::unsupportedMediaType, decode(joined(Bytes(100'000, 0x11), mp3)));
}

TEST("an ID3 tag in front of other formats is passed over") {
  const auto original = sines(1, 44100);
  for (const auto& [container, codec] : {std::pair{"wav", "pcm_s16le"}, {"flac", "flac"}, {"adts", "aac"}}) {
    const Bytes file = encode(original, {container, codec, 44100, 0, "", {}});
    CHECK(decode(joined(id3(777), file)).audio == decode(file).audio);
  }
}

TEST("an MP3 cut anywhere in front still starts at its next frame") {
  const Bytes mp3 = encode(sines(2, 44100), kMp3);
  const Bytes cut(mp3.begin() + 1000, mp3.end());
  CHECK_NEAR(decode(cut).frames(), 2 * 44100, 5000);
}

TEST("what follows the last frame of an MP3 does not matter") {
  const Bytes mp3 = encode(sines(2, 44100), kMp3);
  Bytes tag = bytesOf("TAGtitle");
  tag.resize(128);
  CHECK(decode(joined(mp3, tag)).audio == decode(mp3).audio);
  CHECK(decode(joined(mp3, Bytes(400, 0))).audio == decode(mp3).audio);
}

TEST("the container decides, not what the bytes look like inside") {
  // MP3 frames inside a WAV are MP3 in WAV; a WAV header inside an MP3's tag is not looked at.
  Bytes tag = id3(100);
  const Bytes wav = encode(sines(0.01, 44100), {});
  std::copy(wav.begin(), wav.begin() + 44, tag.begin() + 20);
  CHECK(decode(joined(tag, encode(sines(1, 44100), kMp3))).info.container == "mp3");
}
