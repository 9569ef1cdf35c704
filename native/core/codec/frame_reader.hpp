#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/codec/demuxer.hpp"
#include "core/codec/libav.hpp"

namespace tonearm {

// Decodes the packets of a demuxer into frames, in whatever sample format the codec has, and judges damage: a
// lossless stream with any is an error at once; a lossy one goes on, as every player does, until too much is
// lost.
class FrameReader {
 public:
  // Throws Error like Demuxer.
  FrameReader(std::span<const std::uint8_t> bytes, CancelToken cancel);

  const Demuxer& demuxer() const noexcept { return demuxer_; }
  // The next frame with at least one sample, valid until the next call; null at the end.
  // Throws Error: undecodableAudio, canceled.
  const AVFrame* next();
  // To be called at the end. Throws Error{undecodableAudio} when too much of a lossy stream was lost.
  void checkDamage() const;

 private:
  // Feeds the decoder one packet, or the end of the stream.
  void feed();
  void damaged();

  Demuxer demuxer_;
  libav::CodecContext codec_;
  libav::Packet packet_;
  libav::Frame frame_;
  bool lossless_;
  bool draining_ = false;
  std::int64_t packets_ = 0;
  std::int64_t badPackets_ = 0;
  std::int64_t decodedSamples_ = 0;
  std::optional<double> damagedAtS_;  // of a lossless stream
};

}  // namespace tonearm
