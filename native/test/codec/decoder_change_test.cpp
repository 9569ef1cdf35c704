// Recordings joined end to end, whose channels or sample rate change on the way.
#include <algorithm>

#include "check.hpp"
#include "decode.hpp"

using namespace tonearm;
using namespace fixture;
using Bytes = std::vector<std::uint8_t>;

namespace {

// Two seconds of 440 Hz.
Bytes piece(const char* container, const char* codec, int rateHz, int channels) {
  Encoding encoding{container, codec, rateHz, 0, "", {}};
  if (encoding.container == "mp3") encoding.options = {{"write_xing", "0"}};  // promises no length
  Planar audio = sines(2, rateHz, 1);
  audio.resize(static_cast<std::size_t>(channels), audio[0]);
  return encode(audio, encoding);
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Hz, by the zero crossings of half a second from `fromS` on.
double pitch(const std::vector<float>& signal, int rateHz, double fromS) {
  const auto start = static_cast<std::size_t>(fromS * rateHz),
             end = start + static_cast<std::size_t>(rateHz) / 2;
  int crossings = 0;
  for (std::size_t i = start; i < end && i + 1 < signal.size(); ++i)
    crossings += (signal[i] < 0) != (signal[i + 1] < 0);
  return crossings;
}

}  // namespace

TEST("a stream that changes its rate or channels goes on in the format it began with") {
  struct Join {
    const char *container, *codec;
    int rateHz, channels, laterRateHz, laterChannels;
  };
  for (const Join& join :
       {Join{"mp3", "libmp3lame", 44100, 2, 22050, 2}, Join{"mp3", "libmp3lame", 44100, 2, 44100, 1},
        Join{"mp3", "libmp3lame", 22050, 1, 48000, 2}, Join{"adts", "aac", 44100, 2, 44100, 1},
        Join{"adts", "aac", 48000, 1, 44100, 2}, Join{"ogg", "libvorbis", 44100, 2, 48000, 1}}) {
    const Decoded decoded =
        decode(joined(piece(join.container, join.codec, join.rateHz, join.channels),
                      piece(join.container, join.codec, join.laterRateHz, join.laterChannels)));
    CHECK(decoded.info.format.sampleRateHz == join.rateHz);
    CHECK(decoded.info.format.channelCount() == join.channels);
    CHECK_NEAR(static_cast<double>(decoded.frames()) / join.rateHz, 4, 0.15);
    for (const auto& channel : decoded.audio)
      for (const double atS : {1.0, 3.0}) CHECK_NEAR(pitch(channel, join.rateHz, atS), 440, 2);
  }
}

TEST("a change to an absurd sample rate is refused, not resampled to gigabytes") {
  const auto flac = [](int rateHz) { return piece("flac", "flac", rateHz, 1); };
  const Bytes tail = flac(4000);
  const Bytes frameSync = {0xFF, 0xF8};
  const auto firstFrame = std::search(tail.begin(), tail.end(), frameSync.begin(), frameSync.end());
  CHECK_THROWS(ErrorCode::undecodableAudio, decode(joined(flac(192000), Bytes(firstFrame, tail.end()))));
  CHECK(decode(joined(flac(48000), Bytes(firstFrame, tail.end()))).frames() > 3 * 48000);
}
