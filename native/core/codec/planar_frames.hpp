#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/codec/libav.hpp"

namespace tonearm {

// Turns decoded frames of any sample format into planar float of one fixed rate and layout: that of the first
// frame. Frames that are so already (MP3, AAC, Vorbis, Opus, WMA) pass through without a copy. A stream that
// changes its rate or channel count on the way (joined MP3s, chained Ogg) is resampled and remixed.
class PlanarFrames {
 public:
  // Fixes the output to what this frame has.
  explicit PlanarFrames(const AVFrame& first);
  ~PlanarFrames();
  PlanarFrames(const PlanarFrames&) = delete;
  PlanarFrames& operator=(const PlanarFrames&) = delete;

  int sampleRateHz() const noexcept { return sampleRateHz_; }
  const AVChannelLayout& layout() const noexcept { return layout_; }

  // Returns the frame count (0 possible); `planes()` is valid until the next call and while `frame` lives.
  // Throws Error{undecodableAudio} for a frame that cannot be converted.
  std::size_t convert(const AVFrame& frame);
  const float* const* planes() const noexcept { return planes_.data(); }

 private:
  bool sameAsOutput(const AVFrame& frame) const;
  void configure(const AVFrame& frame);

  AVChannelLayout layout_{};
  int sampleRateHz_;
  libav::Resampler resampler_;
  AVChannelLayout inLayout_{};  // what the resampler is configured for
  int inRateHz_ = 0;
  int inFormat_ = AV_SAMPLE_FMT_NONE;
  std::vector<std::vector<float>> buffers_;
  std::vector<const float*> planes_;
};

}  // namespace tonearm
