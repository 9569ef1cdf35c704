#include "core/codec/demuxer.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/codec/declared_length.hpp"
#include "core/codec/decoders.hpp"
#include "core/codec/mp4_edit.hpp"
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
      bytes_(bytes.subspan(sniffed_.offset)),
      input_(bytes_, cancel) {
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
  // See mp4_edit.hpp for why edit lists are not left to libavformat; other demuxers do not know the option.
  AVDictionary* options = nullptr;
  if (isMp4()) av_dict_set(&options, "ignore_editlist", "1", 0);
  // On failure avformat_open_input frees the context and sets it to null.
  const int opened = avformat_open_input(&format, "", demuxer, &options);
  av_dict_free(&options);
  format_.reset(format);
  cancel_.check();
  if (opened < 0) throwDamaged(sniffed_);
}

void Demuxer::readDeclaredDuration() {
  const AVCodecParameters& codec = *stream_->codecpar;
  if (isContainer("asf")) {
    declaredDurationS_ = asfDurationS(bytes_);
  } else if (isContainer("wav") && av_get_exact_bits_per_sample(codec.codec_id) > 0) {
    const std::int64_t blockBytes = codec.block_align;
    if (const auto dataBytes = wavDataBytes(bytes_); dataBytes && blockBytes > 0 && codec.sample_rate > 0)
      declaredDurationS_ = static_cast<double>(*dataBytes / blockBytes) / codec.sample_rate;
  } else if (stream_->duration > 0) {
    declaredDurationS_ = static_cast<double>(stream_->duration) * av_q2d(stream_->time_base);
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

bool Demuxer::isContainer(const char* demuxer) const noexcept {
  return std::strcmp(sniffed_.demuxer, demuxer) == 0;
}

bool Demuxer::isMp4() const noexcept {
  return isContainer("mov");
}

std::optional<Trim> Demuxer::trim(int sampleRateHz) const {
  if (!isMp4()) return std::nullopt;
  // iTunes: zero, delay, padding, length in samples, all hexadecimal. With SBR its samples may be either
  // rate's.
  const AVDictionaryEntry* tag = av_dict_get(format_->metadata, "iTunSMPB", nullptr, 0);
  std::int64_t delay = 0, frames = 0;
  if (tag != nullptr && sampleRateHz == stream_->codecpar->sample_rate &&
      std::sscanf(tag->value, "%*x %" SCNx64 " %*x %" SCNx64, &delay, &frames) == 2 && frames > 0 &&
      delay >= 0)
    return Trim{delay, frames};
  const auto edit = readMp4Edit(bytes_, static_cast<std::uint32_t>(stream_->id));
  if (!edit || edit->timescale <= 0) return Trim{stream_->codecpar->initial_padding, std::nullopt};
  const AVRational units = {1, static_cast<int>(edit->timescale)};
  const AVRational samples = {1, sampleRateHz};
  Trim trim{av_rescale_q(edit->start, units, samples), std::nullopt};
  if (edit->length) trim.length = av_rescale_q(*edit->length, units, samples);
  return trim;
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
