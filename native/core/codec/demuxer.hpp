#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/codec/libav.hpp"
#include "core/codec/memory_input.hpp"
#include "core/codec/sniff.hpp"
#include "core/support/cancel.hpp"

namespace tonearm {

// The part of the decoder's output that is the audio, in samples a channel.
struct Trim {
  std::int64_t skip = 0;
  std::optional<std::int64_t> length;  // behind `skip`; empty: to the end
};

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
  // What to cut from the decoder's output by hand; empty where the decoder does it by itself (all but MP4).
  std::optional<Trim> trim(int sampleRateHz) const;
  bool isMp4() const noexcept;
  // Where the last packet read ends by the container's clock, encoder delay and padding included.
  double reachedS() const noexcept { return static_cast<double>(reachedUnits_) * av_q2d(stream_->time_base); }
  // False at the end of the stream. Throws Error{canceled}.
  bool read(AVPacket& packet);

 private:
  void open();
  void chooseStream();
  void readDeclaredDuration();
  bool isContainer(const char* demuxer) const noexcept;

  CancelToken cancel_;
  Sniffed sniffed_;
  std::span<const std::uint8_t> bytes_;  // from the start of the container on
  MemoryInput input_;
  libav::FormatContext format_;
  AVStream* stream_ = nullptr;
  const AVCodec* decoder_ = nullptr;
  std::optional<double> declaredDurationS_;
  std::int64_t reachedUnits_ = 0;
};

}  // namespace tonearm
