#include "core/codec/decoder.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>

#include "core/codec/channel_roles.hpp"
#include "core/codec/decoders.hpp"
#include "core/codec/demuxer.hpp"
#include "core/codec/frame_reader.hpp"
#include "core/codec/planar_frames.hpp"
#include "core/codec/sample_check.hpp"

namespace tonearm {

namespace {

constexpr std::size_t kMaxBlockFrames = 8192;
constexpr int kMinRateHz = 8000, kMaxRateHz = 192000, kMaxChannels = 8;

template <typename... Values>
std::string text(const char* format, Values... values) {
  std::array<char, 256> buffer;
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

[[noreturn]] void throwTooLong(double maxDurationS) {
  throw Error(ErrorCode::audioTooLong,
              text("The audio is longer than the %.0f s accepted here. Send a shorter piece.", maxDurationS));
}

}  // namespace

class Decoder::Impl {
 public:
  Impl(std::span<const std::uint8_t> bytes, const DecodeLimits& limits, CancelToken cancel)
      : limits_(limits), cancel_(cancel), reader_(bytes, cancel) {
    const Demuxer& demuxer = reader_.demuxer();
    info_.declaredDurationS = demuxer.declaredDurationS();
    // Declared lengths may include the encoder's delay and padding, so the last second is left to the count.
    if (info_.declaredDurationS.value_or(0) > limits_.maxDurationS + 1) throwTooLong(limits_.maxDurationS);

    const AVFrame* first = reader_.next();
    if (first == nullptr)
      throw Error(ErrorCode::undecodableAudio, std::string("The file begins like ") + demuxer.sniffed().name +
                                                   " but no audio in it could be decoded.");
    checkFormat(*first);
    planar_.emplace(*first);
    info_.format = {first->sample_rate, channelRoles(first->ch_layout)};
    trim_ = demuxer.trim(first->sample_rate).value_or(Trim{});
    info_.container = demuxer.containerName();
    info_.codec = avcodec_get_name(demuxer.stream().codecpar->codec_id);
    take(*first);
  }

  const AudioInfo& info() const noexcept { return info_; }

  Block next() {
    cancel_.check();
    while (taken_ == available_) {
      const AVFrame* frame = reader_.next();
      if (frame == nullptr) {
        checkComplete();
        return {};
      }
      take(*frame);
    }
    const std::size_t frames = std::min(kMaxBlockFrames, available_ - taken_);
    pointers_.clear();
    for (std::size_t c = 0; c < info_.format.channels.size(); ++c)
      pointers_.push_back(planar_->planes()[c] + taken_);
    taken_ += frames;
    return {pointers_, frames};
  }

 private:
  static void checkFormat(const AVFrame& frame) {
    const int channels = frame.ch_layout.nb_channels;
    if (channels < 1 || channels > kMaxChannels)
      throw Error(ErrorCode::unsupportedMediaType,
                  text("The audio has %d channels; 1 to %d are accepted.", channels, kMaxChannels));
    if (frame.sample_rate < kMinRateHz || frame.sample_rate > kMaxRateHz)
      throw Error(ErrorCode::unsupportedMediaType, text("The sample rate is %d Hz; %d to %d Hz are accepted.",
                                                        frame.sample_rate, kMinRateHz, kMaxRateHz));
  }

  // Makes a decoded frame the one that blocks are cut from.
  void take(const AVFrame& frame) {
    const auto frames = static_cast<std::int64_t>(planar_->convert(frame));
    const std::int64_t skipped = std::min(frames, trim_.skip);
    trim_.skip -= skipped;
    const std::int64_t room = trim_.length ? std::max<std::int64_t>(0, *trim_.length - produced_) : frames;
    taken_ = static_cast<std::size_t>(skipped);
    available_ = taken_ + static_cast<std::size_t>(std::min(frames - skipped, room));
    for (std::size_t c = 0; c < info_.format.channels.size(); ++c)
      checkSamples({planar_->planes()[c] + taken_, available_ - taken_});
    produced_ += static_cast<std::int64_t>(available_ - taken_);
    if (static_cast<double>(produced_) > limits_.maxDurationS * info_.format.sampleRateHz)
      throwTooLong(limits_.maxDurationS);
  }

  void checkSamples(std::span<const float> samples) const {
    const std::size_t bad = firstInvalidSample(samples);
    if (bad == samples.size()) return;
    const std::int64_t at = produced_ + static_cast<std::int64_t>(bad);
    throw Error(
        ErrorCode::undecodableAudio,
        text("Sample %" PRId64 " (at %.3f s) is not a number, infinite or absurdly large. Export the audio "
             "again with finite samples around ±1.",
             at, static_cast<double>(at) / info_.format.sampleRateHz));
  }

  // Called at the end of the stream: a file that promised clearly more is a cut-off upload, and an answer
  // about its first part would pass for one about the whole.
  void checkComplete() const {
    reader_.checkDamage();
    if (produced_ == 0) throw Error(ErrorCode::undecodableAudio, "The file holds no audio samples.");
    if (!info_.declaredDurationS) return;
    const double declaredS = *info_.declaredDurationS;
    const double decodedS = static_cast<double>(produced_) / info_.format.sampleRateHz;
    const double toleranceS = std::clamp(0.01 * declaredS, 0.1, 1.0);
    // Either clock will do: declared lengths may include the encoder's delay and padding.
    if (declaredS - std::max(decodedS, reader_.demuxer().reachedS()) > toleranceS)
      throw Error(
          ErrorCode::undecodableAudio,
          text(
              "The file is cut off: its header promises %.1f s, but only %.1f s of audio are there. Send the "
              "whole file.",
              declaredS, decodedS));
  }

  DecodeLimits limits_;
  CancelToken cancel_;
  FrameReader reader_;
  AudioInfo info_;
  std::optional<PlanarFrames> planar_;
  Trim trim_;                  // what is left of it to do
  std::int64_t produced_ = 0;  // frames handed out, or about to be
  std::size_t available_ = 0;  // frames of the current AVFrame
  std::size_t taken_ = 0;      // of them, handed out
  std::vector<const float*> pointers_;
};

Decoder::Decoder(std::span<const std::uint8_t> bytes, const DecodeLimits& limits, CancelToken cancel)
    : impl_(std::make_unique<Impl>(bytes, limits, cancel)) {}
Decoder::~Decoder() = default;
const AudioInfo& Decoder::info() const noexcept {
  return impl_->info();
}
Block Decoder::next() {
  return impl_->next();
}

}  // namespace tonearm
