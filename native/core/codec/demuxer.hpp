#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/codec/libav.hpp"
#include "core/codec/memory_input.hpp"
#include "core/codec/sniff.hpp"
#include "core/support/cancel.hpp"

namespace tonearm {

// Finds the one audio stream in the bytes of a container and hands out its packets.
class Demuxer {
 public:
  // `bytes` must outlive the demuxer. Throws Error: unsupportedMediaType, undecodableAudio, canceled.
  Demuxer(std::span<const std::uint8_t> bytes, CancelToken cancel);

  const Sniffed& sniffed() const noexcept { return sniffed_; }
  const AVStream& stream() const noexcept { return *stream_; }
  // The one decoder that may open the stream.
  const AVCodec& decoder() const noexcept { return *decoder_; }
  // FFmpeg's short name or names, e.g. "mov,mp4,m4a,3gp,3g2,mj2".
  const char* containerName() const noexcept { return format_->iformat->name; }
  // What the container's header promises; empty when it promises nothing. Estimates from a bit rate do not
  // count.
  std::optional<double> declaredDurationS() const noexcept { return declaredDurationS_; }
  // Where the audio ends once delay and padding are gone, as far as the packets read up to now tell; only for
  // the containers whose end the decoder does not trim by itself (MP4 and M4A: the last frame, Wave64: its
  // alignment).
  std::optional<std::int64_t> endFrame(int sampleRateHz) const;
  // Where the last packet read ends by the container's clock, encoder delay and padding included.
  double reachedS() const noexcept { return static_cast<double>(reachedUnits_) * av_q2d(stream_->time_base); }
  // False at the end of the stream. Throws Error{canceled}.
  bool read(AVPacket& packet);

 private:
  void open();
  void chooseStream();
  void readDeclaredDuration();
  bool hasPlaceholderSize() const;

  CancelToken cancel_;
  Sniffed sniffed_;
  MemoryInput input_;
  libav::FormatContext format_;
  AVStream* stream_ = nullptr;
  const AVCodec* decoder_ = nullptr;
  std::optional<double> declaredDurationS_;
  std::int64_t declaredUnits_ = 0;  // the same in the stream's time base
  std::int64_t reachedUnits_ = 0;
  std::int64_t bytes_;
};

}  // namespace tonearm
