#include "encode.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
}

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>

// libvorbisenc 1.3.7 leaks its surround set-up (vorbis_encode_setup_init); fixtures are all that encode here.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:vorbis_encode_setup_init";
}

namespace fixture {

namespace {

struct Free {
  void operator()(AVCodecContext* c) const { avcodec_free_context(&c); }
  void operator()(AVFormatContext* c) const { avformat_free_context(c); }
  void operator()(AVFrame* f) const { av_frame_free(&f); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(SwrContext* s) const { swr_free(&s); }
  void operator()(AVIOContext* io) const {
    if (io != nullptr) av_freep(&io->buffer);
    avio_context_free(&io);
  }
};
template <typename T>
using Handle = std::unique_ptr<T, Free>;

int need(int result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string("fixture: ") + what + " failed");
  return result;
}

template <typename T>
T* need(T* pointer, const char* what) {
  if (pointer == nullptr) throw std::runtime_error(std::string("fixture: no ") + what);
  return pointer;
}

// A file in memory. (FFmpeg's own dynamic buffer overwrites the start of what muxers leave rewound.)
class MemoryFile {
 public:
  MemoryFile() {
    constexpr int kBufferBytes = 4096;
    auto* buffer = static_cast<unsigned char*>(need(av_malloc(kBufferBytes), "buffer"));
    io_.reset(
        avio_alloc_context(buffer, kBufferBytes, 1, this, nullptr, &MemoryFile::write, &MemoryFile::seek));
  }
  AVIOContext* io() { return io_.get(); }
  std::vector<std::uint8_t> take() {
    avio_flush(io_.get());
    return std::move(bytes_);
  }

 private:
  static int write(void* self, std::uint8_t* data, int size) {
    auto& file = *static_cast<MemoryFile*>(self);
    const std::size_t end = file.at_ + static_cast<std::size_t>(size);
    if (file.bytes_.size() < end) file.bytes_.resize(end);
    std::copy_n(data, size, file.bytes_.begin() + static_cast<std::ptrdiff_t>(file.at_));
    file.at_ = end;
    return size;
  }
  static std::int64_t seek(void* self, std::int64_t offset, int whence) {
    auto& file = *static_cast<MemoryFile*>(self);
    if (whence == AVSEEK_SIZE) return static_cast<std::int64_t>(file.bytes_.size());
    if (whence != SEEK_SET || offset < 0) return AVERROR(EINVAL);
    file.at_ = static_cast<std::size_t>(offset);
    return offset;
  }

  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
  Handle<AVIOContext> io_;
};

class Encoder {
 public:
  Encoder(const Planar& audio, const Encoding& encoding) : audio_(audio), encoding_(encoding) {
    const AVCodec* codec = need(avcodec_find_encoder_by_name(encoding.codec.c_str()), encoding.codec.c_str());
    codec_.reset(avcodec_alloc_context3(codec));
    codec_->sample_rate = encoding.sampleRateHz;
    codec_->time_base = {1, encoding.sampleRateHz};
    codec_->sample_fmt = encoding.sampleFormat.empty() ? codec->sample_fmts[0]
                                                       : av_get_sample_fmt(encoding.sampleFormat.c_str());
    codec_->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    if (encoding.bitRate > 0) codec_->bit_rate = encoding.bitRate;
    if (encoding.layout.empty())
      av_channel_layout_default(&codec_->ch_layout, static_cast<int>(audio.size()));
    else
      need(av_channel_layout_from_string(&codec_->ch_layout, encoding.layout.c_str()), "layout");
    AVFormatContext* format = nullptr;
    need(avformat_alloc_output_context2(&format, nullptr, encoding.container.c_str(), nullptr), "muxer");
    format_.reset(format);
    format_->flags |= AVFMT_FLAG_BITEXACT;
    format_->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;  // FLAC in MP4
    if (format_->oformat->flags & AVFMT_GLOBALHEADER) codec_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    need(avcodec_open2(codec_.get(), codec, nullptr), "opening the encoder");
    stream_ = need(avformat_new_stream(format_.get(), nullptr), "stream");
    stream_->time_base = codec_->time_base;
    need(avcodec_parameters_from_context(stream_->codecpar, codec_.get()), "parameters");
    SwrContext* converter = nullptr;
    need(swr_alloc_set_opts2(&converter, &codec_->ch_layout, codec_->sample_fmt, encoding.sampleRateHz,
                             &codec_->ch_layout, AV_SAMPLE_FMT_FLTP, encoding.sampleRateHz, 0, nullptr),
         "converter");
    converter_.reset(converter);
    need(swr_init(converter_.get()), "converter");
  }

  std::vector<std::uint8_t> run() {
    MemoryFile file;
    format_->pb = file.io();
    AVDictionary* options = nullptr;
    for (const auto& [key, value] : encoding_.options) av_dict_set(&options, key.c_str(), value.c_str(), 0);
    const int wrote = avformat_write_header(format_.get(), &options);
    av_dict_free(&options);
    need(wrote, "header");
    body();
    return file.take();
  }

 private:
  void body() {
    const std::size_t total = audio_.empty() ? 0 : audio_[0].size();
    const std::size_t step = codec_->frame_size > 0 ? static_cast<std::size_t>(codec_->frame_size) : 1024;
    for (std::size_t at = 0; at < total; at += step) send(at, std::min(step, total - at));
    drain(nullptr);
    need(av_write_trailer(format_.get()), "trailer");
  }

  void send(std::size_t at, std::size_t count) {
    Handle<AVFrame> frame(av_frame_alloc());
    frame->nb_samples = static_cast<int>(count);
    frame->format = codec_->sample_fmt;
    frame->sample_rate = codec_->sample_rate;
    need(av_channel_layout_copy(&frame->ch_layout, &codec_->ch_layout), "layout");
    need(av_frame_get_buffer(frame.get(), 0), "frame");
    std::vector<const std::uint8_t*> in;
    for (const auto& channel : audio_)
      in.push_back(reinterpret_cast<const std::uint8_t*>(channel.data() + at));
    need(swr_convert(converter_.get(), frame->extended_data, frame->nb_samples, in.data(), frame->nb_samples),
         "conversion");
    frame->pts = static_cast<std::int64_t>(at);
    drain(frame.get());
  }

  void drain(const AVFrame* frame) {
    need(avcodec_send_frame(codec_.get(), frame), "encoding");
    Handle<AVPacket> packet(av_packet_alloc());
    while (avcodec_receive_packet(codec_.get(), packet.get()) >= 0) {
      av_packet_rescale_ts(packet.get(), codec_->time_base, stream_->time_base);
      packet->stream_index = 0;
      need(av_interleaved_write_frame(format_.get(), packet.get()), "muxing");
    }
  }

  const Planar& audio_;
  const Encoding& encoding_;
  Handle<AVCodecContext> codec_;
  Handle<AVFormatContext> format_;
  Handle<SwrContext> converter_;
  AVStream* stream_ = nullptr;
};

}  // namespace

std::vector<std::uint8_t> encode(const Planar& audio, const Encoding& encoding) {
  return Encoder(audio, encoding).run();
}

Planar sinesOf(std::size_t frames, int sampleRateHz, int channels, double frequencyHz, double amplitude) {
  Planar audio(static_cast<std::size_t>(channels), std::vector<float>(frames));
  for (std::size_t c = 0; c < audio.size(); ++c) {
    const double step =
        2 * std::numbers::pi * frequencyHz * std::exp2(static_cast<double>(c) / 12) / sampleRateHz;
    for (std::size_t i = 0; i < frames; ++i)
      audio[c][i] = static_cast<float>(amplitude * std::sin(step * static_cast<double>(i)));
  }
  return audio;
}

Planar sines(double seconds, int sampleRateHz, int channels, double frequencyHz, double amplitude) {
  return sinesOf(static_cast<std::size_t>(std::llround(seconds * sampleRateHz)), sampleRateHz, channels,
                 frequencyHz, amplitude);
}

}  // namespace fixture
