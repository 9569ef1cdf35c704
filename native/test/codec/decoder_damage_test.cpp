// Damaged, cut and lying files: the right error with a message that helps, or the audio that is there.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "check.hpp"
#include "decode.hpp"

using namespace tonearm;
using namespace fixture;
using Bytes = std::vector<std::uint8_t>;

namespace {

Encoding enc(const char* container, const char* codec, int bitRate = 0) {
  return {container, codec, 44100, bitRate, "", {}};
}

// The start of `bytes`, `share` of it.
Bytes cut(const Bytes& bytes, double share) {
  return {bytes.begin(),
          bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(bytes.size()) * share)};
}

void expectError(ErrorCode code, std::string_view part, const Bytes& bytes, int line) {
  try {
    const Decoded decoded = decode(bytes);
    check::fail(__FILE__, line, "decoded " + std::to_string(decoded.frames()) + " frames");
  } catch (const Error& error) {
    if (error.code() != code || std::string_view(error.what()).find(part) == std::string_view::npos)
      check::fail(__FILE__, line, std::string(codeName(error.code())) + ": " + error.what());
  }
}

#define EXPECT_UNDECODABLE(part, bytes) expectError(ErrorCode::undecodableAudio, part, bytes, __LINE__)
#define EXPECT_UNSUPPORTED(part, bytes) expectError(ErrorCode::unsupportedMediaType, part, bytes, __LINE__)

std::size_t find(const Bytes& bytes, std::string_view text) {
  const auto at = std::search(bytes.begin(), bytes.end(), text.begin(), text.end());
  CHECK(at != bytes.end());
  return static_cast<std::size_t>(at - bytes.begin());
}

void put32(Bytes& bytes, std::size_t at, std::uint32_t little) {
  std::memcpy(bytes.data() + at, &little, 4);
}

}  // namespace

TEST("a file cut off half-way is told by the length its header promises") {
  const Planar audio = sines(10, 44100);
  for (const auto& encoding : {enc("mp3", "libmp3lame", 192000), enc("wav", "pcm_s16le"),
                               enc("aiff", "pcm_s16be"), enc("flac", "flac"), enc("asf", "wmav2", 128000)})
    EXPECT_UNDECODABLE("promises 10.0 s", cut(encode(audio, encoding), 0.5));
  Encoding m4a = enc("ipod", "aac", 128000);
  m4a.options = {{"moov_size", "50000"}};  // the index in front
  EXPECT_UNDECODABLE("promises 10.0 s", cut(encode(audio, m4a), 0.5));
  EXPECT_UNDECODABLE("cut off",
                     cut(encode(audio, enc("ipod", "aac", 128000)), 0.5));  // index at the end, lost
}

TEST("a stream that promises no length is decoded as far as it goes") {
  const Planar audio = sines(10, 44100);
  for (const auto& encoding : {enc("adts", "aac", 128000), enc("ogg", "libvorbis", 128000)})
    CHECK_NEAR(decode(cut(encode(audio, encoding), 0.5)).frames(), 220500, 66150);
  // An MP3 without a Xing frame: the encoder's first frame is dropped.
  Encoding plain = enc("mp3", "libmp3lame", 128000);
  plain.options = {{"write_xing", "0"}};
  CHECK_NEAR(decode(cut(encode(audio, plain), 0.5)).frames(), 220500, 5000);
}

TEST("a file that lacks only its last moment is accepted") {
  const Planar audio = sines(20, 44100);
  CHECK_NEAR(decode(cut(encode(audio, enc("mp3", "libmp3lame", 192000)), 0.995)).frames(), 882000, 8820);
  CHECK_NEAR(decode(cut(encode(audio, enc("wav", "pcm_s16le")), 0.995)).frames(), 882000, 8820);
}

TEST(
    "a WAV's data size larger than the file is a cut-off file, a smaller one ends the audio, none means to "
    "the end") {
  Bytes wav = encode(sines(4, 44100, 1), enc("wav", "pcm_s16le"));
  const std::size_t at = find(wav, "data") + 4;
  put32(wav, at, 10 * 88200);
  EXPECT_UNDECODABLE("promises 10.0 s, but only 4.0 s", wav);
  put32(wav, at, 88200);
  CHECK(decode(wav).frames() == 44100);
  for (const std::uint32_t placeholder : {0u, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x7FFFF000u, 0x7FFFFFFFu - 36}) {
    put32(wav, at, placeholder);
    CHECK(decode(wav).frames() == 4 * 44100);
  }
}

TEST("a flipped byte in the middle of a FLAC is an error that tells the time") {
  const Bytes flac = encode(sines(10, 44100), enc("flac", "flac"));
  int found = 0;
  for (std::size_t k = 0; k < 50; ++k) {
    Bytes damaged = flac;
    damaged[damaged.size() / 2 + 37 * k] ^= 0x10;
    try {
      decode(damaged);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::undecodableAudio);
      const std::string_view message = error.what();
      const bool timed =
          message.find("at about 4.") != message.npos || message.find("at about 5.") != message.npos;
      if (!timed) check::fail(__FILE__, __LINE__, error.what());
      found += timed;
    }
  }
  CHECK(found == 50);
}

TEST("a flipped byte in a lossy file costs at most a moment") {
  for (const auto& encoding : {enc("mp3", "libmp3lame", 128000), enc("ipod", "aac", 128000)}) {
    Bytes file = encode(sines(10, 44100), encoding);
    file[file.size() / 2] ^= 0x10;
    CHECK_NEAR(decode(file).frames(), 441000, 4410);
  }
}

TEST("an MP3 that is mostly destroyed is an error") {
  Bytes mp3 = encode(sines(10, 44100), enc("mp3", "libmp3lame", 128000));
  for (std::size_t i = 4000; i < mp3.size(); ++i)
    if (i % 1000 < 600) mp3[i] = static_cast<std::uint8_t>(i * 7919 >> 3);
  EXPECT_UNDECODABLE("", mp3);
}

TEST("NaN, infinity and absurd values in float WAV are errors that name the sample") {
  Planar audio = sines(2, 44100, 2);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), 1e30f}) {
    Planar poisoned = audio;
    poisoned[1][50000] = bad;
    EXPECT_UNDECODABLE("Sample 50000 (at 1.134 s)", encode(poisoned, enc("wav", "pcm_f32le")));
  }
  audio[0][7] = 100;  // loud, but a number
  CHECK(decode(encode(audio, enc("wav", "pcm_f32le"))).audio == audio);
}

TEST("a container without an audio track is unsupported, one with too short a header undecodable") {
  Bytes m4a = encode(sines(1, 44100), enc("ipod", "aac"));
  const std::size_t handler = find(m4a, "soun");
  std::memcpy(m4a.data() + handler, "vide", 4);
  EXPECT_UNSUPPORTED("no audio track", m4a);
  for (const char* codec : {"pcm_s16le", "flac"}) {
    const Bytes file = encode(sines(1, 44100), enc(codec[0] == 'f' ? "flac" : "wav", codec));
    EXPECT_UNDECODABLE("", Bytes(file.begin(), file.begin() + 20));
  }
}

TEST("audio that is not on the list is unsupported by name") {
  EXPECT_UNSUPPORTED("ac3", encode(sines(1, 48000), {"mp4", "ac3", 48000, 128000, "", {}}));
}

TEST("a file without samples is an error, one with a single sample is not") {
  EXPECT_UNDECODABLE("", encode(sinesOf(0, 44100), enc("wav", "pcm_s16le")));
  CHECK(decode(encode(sinesOf(1, 44100), enc("wav", "pcm_s16le"))).frames() == 1);
  CHECK(decode(encode(sinesOf(1, 44100), enc("flac", "flac"))).frames() == 1);
}
