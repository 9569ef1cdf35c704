#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/support/audio.hpp"
#include "core/support/cancel.hpp"

namespace tonearm {

struct DecodeLimits {
  double maxDurationS = 3 * 3600.0;  // of decoded audio; more is Error{audioTooLong}
};

struct AudioInfo {
  StreamFormat format;
  std::string container;  // FFmpeg's short names, e.g. "mp3", "mov,mp4,m4a,3gp,3g2,mj2", "wav"
  std::string codec;      // e.g. "mp3", "aac", "pcm_s24le"
  std::optional<double> declaredDurationS;  // what the header claims; may be absent, may be a lie
};

// Decodes one audio stream out of bytes in memory with FFmpeg's libraries, block by block. A video's sound is
// decoded, its pictures are never looked at.
//
// Only allow-listed demuxers and decoders are ever opened and no protocol at all: input is the given bytes
// alone. The format is found from the bytes (never from a name). Encoder delay and padding are removed, so a
// gapless file (MP3 with a LAME header, M4A, Ogg, Opus, all lossless ones) gives the sample count that went
// into its encoder.
//
// Throws Error:
// - unsupportedMediaType: no allowed format, no audio track in it, or channels or rates beyond
// StreamFormat's.
// - undecodableAudio: damaged (a broken header, any damage in a lossless stream, a tenth of a lossy one lost,
//   samples that are NaN, infinite or absurd, 2^32 times full scale), or cut off (less audio than the header
//   promises by more than 1 s, or by more than 1 % and 0.1 s). Known only when the place is reached, so
//   next() throws it as well. Streams that promise no length (ADTS, Ogg, MP3 without a Xing or Info frame)
//   are decoded as far as they go.
// - audioTooLong: as soon as the header says so, or so much is decoded.
// - canceled: within 100 ms of the flag.
class Decoder {
 public:
  // `bytes` must outlive the decoder.
  Decoder(std::span<const std::uint8_t> bytes, const DecodeLimits& limits, CancelToken cancel = {});
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  const AudioInfo& info() const noexcept;
  // The next block (at most 8192 frames, never 0), or one with 0 frames at the end. Valid until the next
  // call.
  Block next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
