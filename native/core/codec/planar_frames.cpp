#include "core/codec/planar_frames.hpp"

#include <string>

#include "core/support/error.hpp"

namespace tonearm {

namespace {

void copyLayout(AVChannelLayout& to, const AVChannelLayout& from) {
  if (av_channel_layout_copy(&to, &from) < 0) libav::throwOutOfMemory();
}

}  // namespace

PlanarFrames::PlanarFrames(const AVFrame& first)
    : sampleRateHz_(first.sample_rate), planes_(static_cast<std::size_t>(first.ch_layout.nb_channels)) {
  copyLayout(layout_, first.ch_layout);
}

PlanarFrames::~PlanarFrames() {
  av_channel_layout_uninit(&layout_);
  av_channel_layout_uninit(&inLayout_);
}

bool PlanarFrames::sameAsOutput(const AVFrame& frame) const {
  return frame.sample_rate == sampleRateHz_ && av_channel_layout_compare(&frame.ch_layout, &layout_) == 0;
}

void PlanarFrames::configure(const AVFrame& frame) {
  const auto format = static_cast<AVSampleFormat>(frame.format);
  // From 8 kHz to 192 kHz. Beyond that lies damage, which would turn one frame into gigabytes of samples.
  constexpr int kMaxRatio = 24;
  const bool plausible = frame.sample_rate >= sampleRateHz_ / kMaxRatio;
  SwrContext* context = nullptr;
  // FFmpeg 5.1 declares the layouts as writable, though it only copies them.
  auto* from = const_cast<AVChannelLayout*>(&frame.ch_layout);
  const int made = swr_alloc_set_opts2(&context, &layout_, AV_SAMPLE_FMT_FLTP, sampleRateHz_, from, format,
                                       frame.sample_rate, 0, nullptr);
  resampler_.reset(context);
  if (!plausible || made < 0 || swr_init(context) < 0) {
    resampler_.reset();
    throw Error(
        ErrorCode::undecodableAudio,
        "The audio changes its channels or sample rate on the way in a form that cannot be joined. Send one "
        "recording a file.");
  }
  copyLayout(inLayout_, frame.ch_layout);
  inRateHz_ = frame.sample_rate;
  inFormat_ = frame.format;
}

std::size_t PlanarFrames::convert(const AVFrame& frame) {
  if (frame.format == AV_SAMPLE_FMT_FLTP && sameAsOutput(frame)) {
    for (std::size_t c = 0; c < planes_.size(); ++c)
      planes_[c] = reinterpret_cast<const float*>(frame.extended_data[c]);
    return static_cast<std::size_t>(frame.nb_samples);
  }
  if (!resampler_ || frame.format != inFormat_ || frame.sample_rate != inRateHz_ ||
      av_channel_layout_compare(&frame.ch_layout, &inLayout_) != 0)
    configure(frame);

  const int room = swr_get_out_samples(resampler_.get(), frame.nb_samples);
  if (room < 0) libav::throwOutOfMemory();
  buffers_.resize(planes_.size());
  std::vector<std::uint8_t*> out(planes_.size());
  for (std::size_t c = 0; c < planes_.size(); ++c) {
    if (buffers_[c].size() < static_cast<std::size_t>(room))
      buffers_[c].resize(static_cast<std::size_t>(room));
    planes_[c] = buffers_[c].data();
    out[c] = reinterpret_cast<std::uint8_t*>(buffers_[c].data());
  }
  const int count = swr_convert(resampler_.get(), out.data(), room,
                                const_cast<const std::uint8_t**>(frame.extended_data), frame.nb_samples);
  if (count < 0) throw Error(ErrorCode::undecodableAudio, "The audio could not be converted to samples.");
  return static_cast<std::size_t>(count);
}

}  // namespace tonearm
