#include "core/codec/demuxer.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/codec/decoders.hpp"
#include "core/support/error.hpp"

extern "C" {
#include <libavutil/dict.h>
}

namespace tonearm {

namespace {

// Timestamps beyond this come from damaged files; below it their sums and products cannot overflow.
constexpr std::int64_t kMaxUnits = std::int64_t{1} << 56;
constexpr unsigned kMaxStreams = 32;
constexpr std::int64_t kProbeBytes = 256 * 1024;
constexpr std::int64_t kProbeDurationUs = 1'000'000;

// Playlists, external data references and the like end here: nothing but the given bytes is ever opened.
int refuseToOpen(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EPERM);
}

int cancelRequested(void* token) {
  return static_cast<const CancelToken*>(token)->requested() ? 1 : 0;
}

[[noreturn]] void throwDamaged(const Sniffed& sniffed) {
  throw Error(ErrorCode::undecodableAudio, std::string("The file begins like ") + sniffed.name +
                                               " but its header is damaged or cut off. Send the whole file.");
}

bool isProtected(const AVCodecParameters& codec) {
  return codec.codec_tag == MKTAG('d', 'r', 'm', 's') || codec.codec_tag == MKTAG('e', 'n', 'c', 'a');
}

}  // namespace

Demuxer::Demuxer(std::span<const std::uint8_t> bytes, CancelToken cancel)
    : cancel_(cancel),
      sniffed_(sniff(bytes)),
      input_(bytes.subspan(sniffed_.offset), cancel),
      bytes_(static_cast<std::int64_t>(bytes.size() - sniffed_.offset)) {
  libav::setUp();
  open();
  chooseStream();
  readDeclaredDuration();
  // Reads on to the first packets: raw MPEG streams say nothing about themselves before. What is still
  // unknown afterwards the decoder finds out, or fails. Comes last because it fills in guesses of the
  // duration.
  avformat_find_stream_info(format_.get(), nullptr);
  cancel_.check();
}

void Demuxer::open() {
  const AVInputFormat* demuxer = av_find_input_format(sniffed_.demuxer);
  if (demuxer == nullptr)
    throw Error(ErrorCode::internalError,
                std::string("This build of FFmpeg cannot read ") + sniffed_.name + ".");
  AVFormatContext* format = libav::allocated(avformat_alloc_context());
  format->pb = input_.io();
  format->flags |= AVFMT_FLAG_CUSTOM_IO;
  format->io_open = refuseToOpen;
  format->protocol_whitelist = av_strdup("");
  format->format_whitelist = av_strdup(sniffed_.demuxer);
  format->codec_whitelist = av_strdup(allowedDecoderNames().c_str());
  format->interrupt_callback = {cancelRequested, &cancel_};
  format->max_streams = kMaxStreams;
  format->probesize = kProbeBytes;
  format->max_analyze_duration = kProbeDurationUs;
  // On failure avformat_open_input frees the context and sets it to null.
  const int opened = avformat_open_input(&format, "", demuxer, nullptr);
  format_.reset(format);
  cancel_.check();
  if (opened < 0) throwDamaged(sniffed_);
}

// Programs that write WAV to a pipe cannot know the size and leave a placeholder near one of the two integer
// limits (SoX 0x7FFFF000 and up, arecord 0x7FFFFFFF; 0 and 0xFFFFFFFF are dealt with by libavformat).
bool Demuxer::hasPlaceholderSize() const {
  constexpr std::int64_t kPlaceholderBytes = 0x7FFFF000;
  const std::int64_t blockBytes = stream_->codecpar->block_align;
  return std::strcmp(sniffed_.demuxer, "wav") == 0 && blockBytes > 0 &&
         stream_->duration >= (kPlaceholderBytes - 4096) / blockBytes && bytes_ < kPlaceholderBytes;
}

void Demuxer::readDeclaredDuration() {
  declaredUnits_ = stream_->duration;
  if (stream_->duration > 0) {
    if (!hasPlaceholderSize())
      declaredDurationS_ = static_cast<double>(stream_->duration) * av_q2d(stream_->time_base);
  } else if (format_->duration > 0) {
    declaredDurationS_ = static_cast<double>(format_->duration) / AV_TIME_BASE;
  }
}

void Demuxer::chooseStream() {
  const char* otherCodec = nullptr;
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    AVStream* stream = format_->streams[i];
    stream->discard = AVDISCARD_ALL;
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || stream_ != nullptr) continue;
    const AVCodec* decoder = allowedDecoder(stream->codecpar->codec_id);
    if (decoder == nullptr || isProtected(*stream->codecpar)) {
      otherCodec =
          isProtected(*stream->codecpar) ? "copy-protected" : avcodec_get_name(stream->codecpar->codec_id);
      continue;
    }
    stream->discard = AVDISCARD_DEFAULT;
    stream_ = stream;
    decoder_ = decoder;
  }
  if (stream_ != nullptr) return;
  if (otherCodec != nullptr)
    throw Error(ErrorCode::unsupportedMediaType, std::string("The ") + sniffed_.name + " file holds " +
                                                     otherCodec + " audio, which is not accepted. Send " +
                                                     kAcceptedFormats + ".");
  throw Error(
      ErrorCode::unsupportedMediaType,
      std::string("The ") + sniffed_.name + " file holds no audio track. Send " + kAcceptedFormats + ".");
}

std::optional<std::int64_t> Demuxer::endFrame(int sampleRateHz) const {
  const bool mp4 = std::strcmp(sniffed_.demuxer, "mov") == 0;
  if (mp4 && sampleRateHz == stream_->codecpar->sample_rate) {
    // iTunes: zero, delay, padding, length in samples, all hexadecimal.
    const AVDictionaryEntry* tag = av_dict_get(format_->metadata, "iTunSMPB", nullptr, 0);
    std::int64_t frames = 0;
    if (tag != nullptr && std::sscanf(tag->value, "%*x %*x %*x %" SCNx64, &frames) == 1 && frames > 0)
      return frames;
  }
  if (mp4 && reachedUnits_ != 0) {
    // Sample durations are exact, the edit list counts in ticks of a movie clock that may be as coarse as
    // 1/600 s: it ends the audio only where it is shorter by more than rounding.
    const std::int64_t tick = av_rescale_q(1, {1, 600}, stream_->time_base);
    const bool edited = declaredUnits_ > 0 && reachedUnits_ > declaredUnits_ + tick;
    return av_rescale_q(edited ? declaredUnits_ : reachedUnits_, stream_->time_base, {1, sampleRateHz});
  }
  if (std::strcmp(sniffed_.demuxer, "w64") == 0 && declaredUnits_ > 0) return declaredUnits_;
  return std::nullopt;
}

bool Demuxer::read(AVPacket& packet) {
  for (;;) {
    cancel_.check();
    const int got = av_read_frame(format_.get(), &packet);
    cancel_.check();
    if (got == AVERROR(EAGAIN)) continue;
    if (got < 0) return false;
    if (packet.stream_index == stream_->index) {
      if (packet.pts >= -kMaxUnits && packet.pts <= kMaxUnits && packet.duration >= 0 &&
          packet.duration <= kMaxUnits)
        reachedUnits_ = packet.pts + packet.duration;
      return true;
    }
    av_packet_unref(&packet);
  }
}

}  // namespace tonearm
