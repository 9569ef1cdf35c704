// Thousands of damaged files of every format: each gives audio or an Error, soon, and never anything else.
// The seed is fixed, so a failure can be repeated; native/fuzz goes further.
#include <chrono>
#include <random>
#include <string>

#include "check.hpp"
#include "decode.hpp"

using namespace tonearm;
using namespace fixture;
using Bytes = std::vector<std::uint8_t>;

namespace {

std::vector<Encoding> everyFormat() {
  const auto enc = [](const char* container, const char* codec, int rate = 44100) {
    return Encoding{container, codec, rate, 0, "", {}};
  };
  return {enc("mp3", "libmp3lame"),     enc("ipod", "aac"),           enc("ipod", "alac"),
          enc("mp4", "libopus", 48000), enc("adts", "aac"),           enc("flac", "flac"),
          enc("wav", "pcm_s16le"),      enc("wav", "pcm_f32le"),      enc("wav", "pcm_s24le"),
          enc("w64", "pcm_s16le"),      enc("aiff", "pcm_s24be"),     enc("ogg", "libvorbis"),
          enc("ogg", "flac"),           enc("ogg", "libopus", 48000), enc("asf", "wmav2"),
          enc("asf", "wmav1"),          enc("mov", "pcm_s16be")};
}

Bytes mutated(Bytes bytes, std::mt19937& random) {
  const auto below = [&](std::size_t limit) {
    return static_cast<std::size_t>(random() % std::max<std::size_t>(1, limit));
  };
  const auto anywhere = [&] {
    // Headers decide most, so half of all hits go to the first kilobyte.
    return random() % 2 ? below(bytes.size()) : below(std::min<std::size_t>(bytes.size(), 1024));
  };
  for (std::size_t hits = 1 + below(8); hits > 0 && !bytes.empty(); --hits) {
    const std::size_t at = anywhere();
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t run = std::min(bytes.size() - at, 1 + below(16));
    switch (random() % 6) {
      case 0:
        bytes[at] ^= static_cast<std::uint8_t>(1u << random() % 8);
        break;
      case 1:
        for (std::size_t i = 0; i < run; ++i) bytes[at + i] = static_cast<std::uint8_t>(random());
        break;
      case 2:
        std::fill_n(begin, run, static_cast<std::uint8_t>(random() % 2 ? 0xFF : 0));
        break;
      case 3:
        bytes.erase(begin, begin + static_cast<std::ptrdiff_t>(run));
        break;
      case 4: {
        const Bytes copy(begin, begin + static_cast<std::ptrdiff_t>(run));
        const std::size_t to = anywhere();
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(to), copy.begin(), copy.end());
        break;
      }
      default:
        bytes.resize(bytes.size() - below(bytes.size() / 4));
    }
  }
  return bytes;
}

}  // namespace

TEST("no damage makes the decoder crash, hang or break its promises") {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 200;
  std::mt19937 random(20240229);
  int decoded = 0, refused = 0;
  for (const Encoding& encoding : everyFormat()) {
    const Bytes original = encode(sines(0.3, encoding.sampleRateHz), encoding);
    for (int round = 0; round < kRounds; ++round) {
      const Bytes bytes = mutated(original, random);
      const auto start = Clock::now();
      try {
        decode(bytes, DecodeLimits{60});  // checks blocks and that every sample is finite
        ++decoded;
      } catch (const Error& error) {
        CHECK(error.code() != ErrorCode::internalError);
        CHECK(error.what()[0] != 0);
        ++refused;
      }
      CHECK(std::chrono::duration<double>(Clock::now() - start).count() < 2);
    }
  }
  std::printf("# %d decoded, %d refused\n", decoded, refused);
  CHECK(decoded > 500);
  CHECK(refused > 500);
}
