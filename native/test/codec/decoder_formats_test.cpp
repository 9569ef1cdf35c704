// Every format, bit depth, channel count and sample rate: what comes out is what went in.
#include <cstdio>

#include "check.hpp"
#include "decode.hpp"

using namespace tonearm;
using namespace fixture;

namespace {

struct Case {
  Encoding encoding;
  const char* container;
  const char* codec;
  int channels = 2;
  double tolerance;  // of the RMS difference to the original, full scale = 1
};

void checkCase(const Case& c, std::size_t frames) {
  const int rate = c.encoding.sampleRateHz;
  const Planar original = sinesOf(frames, rate, c.channels);
  const Decoded decoded = decode(encode(original, c.encoding));
  const std::string what = c.encoding.container + " " + c.encoding.codec + " " + std::to_string(rate) +
                           " Hz x" + std::to_string(c.channels);
  const auto expect = [&](bool ok, const std::string& detail) {
    if (!ok) check::fail(__FILE__, __LINE__, what + ": " + detail);
  };
  expect(decoded.info.format.sampleRateHz == rate,
         "rate " + std::to_string(decoded.info.format.sampleRateHz));
  expect(decoded.info.format.channelCount() == c.channels, "channels");
  expect(decoded.info.container.find(c.container) != std::string::npos,
         "container " + decoded.info.container);
  expect(decoded.info.codec == c.codec, "codec " + decoded.info.codec);
  expect(decoded.frames() == frames,
         "frames " + std::to_string(decoded.frames()) + " for " + std::to_string(frames));
  for (std::size_t i = 0; i < decoded.audio.size(); ++i) {
    const double difference = rmsDifference(decoded.audio[i], original[i]);
    expect(difference <= c.tolerance,
           "channel " + std::to_string(i) + " differs by " + std::to_string(difference));
  }
}

Encoding enc(const char* container, const char* codec, int rate = 44100, int bitRate = 0) {
  return {container, codec, rate, bitRate, "", {}};
}

}  // namespace

TEST("PCM of every bit depth comes back exact to its step, from every container") {
  const double s8 = 1.0 / 128, s16 = 1.0 / 32768, s24 = 2e-7, fine = 1e-7;
  const Case cases[] = {
      {enc("wav", "pcm_u8"), "wav", "pcm_u8", 2, s8},
      {enc("wav", "pcm_s16le"), "wav", "pcm_s16le", 2, s16},
      {enc("wav", "pcm_s24le"), "wav", "pcm_s24le", 2, s24},
      {enc("wav", "pcm_s32le"), "wav", "pcm_s32le", 2, fine},
      {enc("wav", "pcm_s64le"), "wav", "pcm_s64le", 2, fine},
      {enc("wav", "pcm_f32le"), "wav", "pcm_f32le", 2, 0},
      {enc("wav", "pcm_f64le"), "wav", "pcm_f64le", 2, 0},
      {enc("wav", "pcm_alaw"), "wav", "pcm_alaw", 2, 0.02},
      {enc("wav", "pcm_mulaw"), "wav", "pcm_mulaw", 2, 0.02},
      {enc("w64", "pcm_s32le"), "w64", "pcm_s32le", 2, fine},
      {enc("aiff", "pcm_s8"), "aiff", "pcm_s8", 2, s8},
      {enc("aiff", "pcm_s16be"), "aiff", "pcm_s16be", 2, s16},
      {enc("aiff", "pcm_s24be"), "aiff", "pcm_s24be", 2, s24},
      {enc("aiff", "pcm_s32be"), "aiff", "pcm_s32be", 2, fine},
      {enc("aiff", "pcm_f32be"), "aiff", "pcm_f32be", 2, 0},
      {enc("aiff", "pcm_f64be"), "aiff", "pcm_f64be", 2, 0},
      {enc("mov", "pcm_s16le"), "mov", "pcm_s16le", 2, s16},
  };
  for (const Case& c : cases) checkCase(c, 20011);
}

TEST("RF64 is read like WAV") {
  Case c{enc("wav", "pcm_s16le"), "wav", "pcm_s16le", 2, 1.0 / 32768};
  c.encoding.options = {{"rf64", "always"}};
  CHECK(encode(sines(0.1, 44100), c.encoding)[0] == 'R' && encode(sines(0.1, 44100), c.encoding)[1] == 'F');
  checkCase(c, 20011);
}

TEST("lossless codecs come back exact") {
  const Case cases[] = {
      {enc("flac", "flac"), "flac", "flac", 2, 1.0 / 32768},
      {enc("ogg", "flac"), "ogg", "flac", 2, 1.0 / 32768},
      {enc("ipod", "alac"), "m4a", "alac", 2, 1.0 / 32768},
      {enc("flac", "flac", 192000), "flac", "flac", 1, 1.0 / 32768},
      {enc("ipod", "alac", 96000), "m4a", "alac", 1, 1.0 / 32768},
  };
  for (const Case& c : cases)
    for (const std::size_t frames : {4095u, 4096u, 4097u, 50021u}) checkCase(c, frames);
}

TEST("lossy codecs come back in time, with exactly the samples that went in") {
  const Case cases[] = {
      {enc("mp3", "libmp3lame", 44100, 192000), "mp3", "mp3", 2, 0.01},
      {enc("mp3", "libmp3lame", 44100, 128000), "mp3", "mp3", 1, 0.01},
      {enc("mp3", "libmp3lame", 48000, 320000), "mp3", "mp3", 2, 0.01},
      {enc("mp3", "libmp3lame", 22050, 64000), "mp3", "mp3", 1, 0.01},
      {enc("mp3", "libmp3lame", 8000, 32000), "mp3", "mp3", 1, 0.02},
      // FFmpeg's AAC encoder needs its first frames to settle.
      {enc("ipod", "aac", 44100, 192000), "m4a", "aac", 2, 0.02},
      {enc("mp4", "aac", 48000, 128000), "m4a", "aac", 1, 0.02},
      {enc("ogg", "libvorbis", 44100, 192000), "ogg", "vorbis", 2, 0.02},
      {enc("ogg", "libvorbis", 48000, 96000), "ogg", "vorbis", 1, 0.02},
      {enc("opus", "libopus", 48000, 160000), "ogg", "opus", 2, 0.02},
      {enc("opus", "libopus", 48000, 96000), "ogg", "opus", 1, 0.02},
      {enc("mp4", "libopus", 48000, 96000), "m4a", "opus", 1, 0.02},
      {enc("mp4", "libmp3lame", 44100, 192000), "m4a", "mp3", 2, 0.02},
      {enc("mp4", "flac", 44100), "m4a", "flac", 2, 1.0 / 32768},
  };
  for (const Case& c : cases)
    for (const std::size_t frames : {70003u, 48959u, 50021u, 50175u, 50177u}) checkCase(c, frames);
}

TEST("sample rates from 8 to 192 kHz are kept, others refused") {
  for (const int rate : {8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 176400, 192000})
    checkCase({enc("wav", "pcm_s16le", rate), "wav", "pcm_s16le", 1, 1.0 / 32768}, 3000);
  for (const int rate : {4000, 7999, 192001, 384000})
    CHECK_THROWS(ErrorCode::unsupportedMediaType,
                 decode(encode(sinesOf(9999, rate, 1), enc("wav", "pcm_s16le", rate))));
}

TEST("AAC in ADTS and WMA, which declare no delay, come back whole and to within a frame or two") {
  const std::size_t frames = 100000;
  for (const auto& encoding : {enc("adts", "aac", 44100, 128000), enc("asf", "wmav2", 44100, 128000),
                               enc("asf", "wmav1", 44100, 128000)}) {
    const Decoded decoded = decode(encode(sinesOf(frames, 44100), encoding));
    CHECK(decoded.info.format.channelCount() == 2);
    CHECK_NEAR(decoded.frames(), frames, 4096);
  }
}

TEST("24-bit FLAC and ALAC keep more than 16 bits") {
  // Half a step of 16 bits: what those make of it has little to do with the sine.
  const Planar quiet = sinesOf(20000, 48000, 2, 440, 0x1p-16);
  const auto difference = [&](const char* container, const char* codec, const char* sampleFormat) {
    Encoding encoding = enc(container, codec, 48000);
    encoding.sampleFormat = sampleFormat;
    return rmsDifference(decode(encode(quiet, encoding)).audio[0], quiet[0]);
  };
  CHECK(difference("flac", "flac", "s16") > 2e-6);
  CHECK(difference("ipod", "alac", "s16p") > 2e-6);
  CHECK(difference("wav", "pcm_s24le", "s32") < 1e-7);
  CHECK(difference("flac", "flac", "s32") < 1e-7);
  CHECK(difference("ogg", "flac", "s32") < 1e-7);
  CHECK(difference("ipod", "alac", "s32p") < 1e-7);
}
