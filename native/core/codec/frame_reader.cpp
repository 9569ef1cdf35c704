#include "core/codec/frame_reader.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "core/codec/decoders.hpp"
#include "core/support/error.hpp"

namespace tonearm {

namespace {

// More than any codec puts into one packet (FLAC: 65535); larger is an attempt to have memory allocated.
constexpr std::int64_t kMaxSamplesPerFrame = 1 << 20;

[[noreturn]] void throwDamaged(double atS) {
  std::array<char, 160> message;
  std::snprintf(
      message.data(), message.size(),
      "The audio is damaged at about %.1f s (a checksum or a length does not fit). Send an intact copy.",
      atS);
  throw Error(ErrorCode::undecodableAudio, message.data());
}

}  // namespace

FrameReader::FrameReader(std::span<const std::uint8_t> bytes, CancelToken cancel)
    : demuxer_(bytes, cancel),
      codec_(libav::allocated(avcodec_alloc_context3(&demuxer_.decoder()))),
      packet_(libav::allocated(av_packet_alloc())),
      frame_(libav::allocated(av_frame_alloc())),
      lossless_(isLossless(demuxer_.decoder().id)) {
  const AVStream& stream = demuxer_.stream();
  if (avcodec_parameters_to_context(codec_.get(), stream.codecpar) < 0) libav::throwOutOfMemory();
  codec_->pkt_timebase = stream.time_base;  // the decoder needs it to trim encoder delay and padding
  if (demuxer_.isMp4()) codec_->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;  // see Demuxer::trim
  codec_->thread_count = 1;
  codec_->max_samples = kMaxSamplesPerFrame;
  codec_->request_sample_fmt = AV_SAMPLE_FMT_FLTP;  // where there is a choice, planar
  if (lossless_) codec_->err_recognition |= AV_EF_CRCCHECK | AV_EF_EXPLODE;
  if (avcodec_open2(codec_.get(), &demuxer_.decoder(), nullptr) < 0)
    throw Error(ErrorCode::undecodableAudio, std::string("The ") + demuxer_.sniffed().name + " file holds " +
                                                 avcodec_get_name(demuxer_.decoder().id) +
                                                 " audio whose header is damaged. Send the whole file.");
}

const AVFrame* FrameReader::next() {
  for (;;) {
    const int got = avcodec_receive_frame(codec_.get(), frame_.get());
    if (got == 0) {
      if (frame_->nb_samples <= 0) continue;
      decodedSamples_ += frame_->nb_samples;
      return frame_.get();
    }
    if (got == AVERROR_EOF) return nullptr;
    if (got != AVERROR(EAGAIN)) {
      damaged();
      if (draining_) return nullptr;
    } else {
      feed();
    }
  }
}

void FrameReader::feed() {
  if (!demuxer_.read(*packet_)) {
    draining_ = true;
    avcodec_send_packet(codec_.get(), nullptr);
    return;
  }
  if (damagedAtS_) throwDamaged(*damagedAtS_);
  ++packets_;
  const int sent = avcodec_send_packet(codec_.get(), packet_.get());
  av_packet_unref(packet_.get());
  if (sent < 0) damaged();
}

void FrameReader::damaged() {
  ++badPackets_;
  if (lossless_) {
    // An error only once more follows: the last packet of a file that was cut off is not damaged but
    // incomplete.
    if (!damagedAtS_) damagedAtS_ = static_cast<double>(decodedSamples_) / std::max(1, codec_->sample_rate);
    return;
  }
  // Ends early what is no audio at all, however large.
  constexpr std::int64_t kHopeless = 100;
  if (badPackets_ >= kHopeless) checkDamage();
}

void FrameReader::checkDamage() const {
  // A few packets are lost to junk between frames and tags at the end, even in files that play well.
  constexpr std::int64_t kForgiven = 5;
  constexpr double kMaxBadShare = 0.1;
  if (badPackets_ > kForgiven &&
      static_cast<double>(badPackets_) > kMaxBadShare * static_cast<double>(packets_))
    throw Error(ErrorCode::undecodableAudio, "The audio is damaged: " + std::to_string(badPackets_) + " of " +
                                                 std::to_string(packets_) +
                                                 " packets could not be decoded. Send an intact copy.");
}

}  // namespace tonearm
