#pragma once

// The only door to FFmpeg's libraries (5.1 or later): C headers, owning handles, one-time set-up.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/mem.h>
#include <libswresample/swresample.h>
}

#include <memory>

namespace tonearm::libav {

struct Free {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(SwrContext* context) const { swr_free(&context); }
  void operator()(AVIOContext* io) const {
    if (io != nullptr) av_freep(&io->buffer);
    avio_context_free(&io);
  }
};

using FormatContext = std::unique_ptr<AVFormatContext, Free>;
using CodecContext = std::unique_ptr<AVCodecContext, Free>;
using Packet = std::unique_ptr<AVPacket, Free>;
using Frame = std::unique_ptr<AVFrame, Free>;
using Resampler = std::unique_ptr<SwrContext, Free>;
using Io = std::unique_ptr<AVIOContext, Free>;

// Silences the libraries' logging and caps a single allocation of theirs; safe to call from any thread, any
// number of times. Both settings are process-wide in FFmpeg, there is no per-context form.
void setUp();

[[noreturn]] void throwOutOfMemory();

// Returns `pointer`; a null one is the libraries' way to say "out of memory" and throws Error{internalError}.
template <typename T>
T* allocated(T* pointer) {
  if (pointer == nullptr) throwOutOfMemory();
  return pointer;
}

}  // namespace tonearm::libav
