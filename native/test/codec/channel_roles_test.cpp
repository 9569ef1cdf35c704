#include "check.hpp"
#include "decode.hpp"

using namespace tonearm;
using namespace fixture;

namespace {

constexpr auto M = ChannelRole::main, S = ChannelRole::surround, L = ChannelRole::lowFrequency;
using Roles = std::vector<ChannelRole>;

Roles rolesOf(const char* container, const char* codec, int channels, const char* layout) {
  const Encoding encoding{container, codec, 48000, 0, layout, {}};
  return decode(encode(sines(0.5, 48000, channels), encoding)).info.format.channels;
}

}  // namespace

TEST("WAV's channel mask tells surrounds and LFE from the rest") {
  const auto wav = [](int channels, const char* layout) {
    return rolesOf("wav", "pcm_s24le", channels, layout);
  };
  CHECK(wav(1, "mono") == (Roles{M}));
  CHECK(wav(2, "stereo") == (Roles{M, M}));
  CHECK(wav(3, "2.1") == (Roles{M, M, L}));
  CHECK(wav(4, "quad") == (Roles{M, M, S, S}));
  CHECK(wav(5, "5.0") == (Roles{M, M, M, S, S}));
  CHECK(wav(5, "5.0(side)") == (Roles{M, M, M, S, S}));
  CHECK(wav(6, "5.1") == (Roles{M, M, M, L, S, S}));
  CHECK(wav(6, "5.1(side)") == (Roles{M, M, M, L, S, S}));
  CHECK(wav(7, "6.1") == (Roles{M, M, M, L, M, S, S}));
}

TEST("in 7.1 the side pair is surround and the back pair, at ±135°, is not") {
  CHECK(rolesOf("wav", "pcm_s16le", 8, "7.1") == (Roles{M, M, M, L, M, M, S, S}));
}

TEST("compressed surround formats carry their roles too") {
  CHECK(rolesOf("flac", "flac", 6, "5.1") == (Roles{M, M, M, L, S, S}));
  CHECK(rolesOf("ipod", "aac", 6, "5.1") == (Roles{M, M, M, L, S, S}));
  CHECK(rolesOf("ogg", "libvorbis", 6, "5.1") == (Roles{M, M, M, L, S, S}));
  CHECK(rolesOf("ogg", "libopus", 6, "5.1") == (Roles{M, M, M, L, S, S}));
  CHECK(rolesOf("ipod", "alac", 6, "5.1") == (Roles{M, M, M, L, S, S}));
  CHECK(rolesOf("flac", "flac", 8, "7.1") == (Roles{M, M, M, L, M, M, S, S}));
}

TEST("channels without known places all count as main") {
  auto wav = encode(sines(0.5, 48000, 6), {"wav", "pcm_s24le", 48000, 0, "5.1", {}});
  constexpr std::size_t kChannelMask = 40;  // in WAVEFORMATEXTENSIBLE, behind RIFF and fmt headers
  CHECK(wav[kChannelMask] == 0x3F);
  wav[kChannelMask] = 0;
  CHECK(decode(wav).info.format.channels == (Roles{M, M, M, M, M, M}));
  CHECK(rolesOf("aiff", "pcm_s16be", 6, "5.1") == (Roles{M, M, M, L, S, S}));  // its CHAN chunk tells
}

TEST("eight channels stay apart and in order") {
  const Planar original = sines(0.5, 48000, 8);
  const Decoded decoded = decode(encode(original, {"wav", "pcm_f32le", 48000, 0, "7.1", {}}));
  for (std::size_t c = 0; c < 8; ++c) CHECK(decoded.audio[c] == original[c]);
}
