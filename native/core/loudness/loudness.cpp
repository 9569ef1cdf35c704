#include "core/loudness/loudness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/loudness/k_weighting.hpp"
#include "core/loudness/loudness_windows.hpp"
#include "core/loudness/true_peak.hpp"
#include "core/simd/kernels.hpp"
#include "core/support/error.hpp"

namespace tonearm {
namespace {

using simd::kPeakChunk, simd::kSegments;

const StreamFormat& checked(const StreamFormat& format) {
  if (format.sampleRateHz < 8000 || format.sampleRateHz > 192000)
    throw Error(ErrorCode::invalidParameter,
                "The loudness meter takes sample rates from 8000 to 192000 Hz, not " +
                    std::to_string(format.sampleRateHz) + ".");
  if (format.channels.empty() || format.channelCount() > 8)
    throw Error(ErrorCode::invalidParameter, "The loudness meter takes 1 to 8 channels, not " +
                                                 std::to_string(format.channelCount()) + ".");
  return format;
}

// ITU-R BS.1770-5, table 4. The low-frequency channel is left out altogether.
double weight(ChannelRole role) {
  switch (role) {
    case ChannelRole::main:
      return 1.0;
    case ChannelRole::surround:
      return 1.41;
    case ChannelRole::lowFrequency:
      return 0.0;
  }
  return 0.0;
}

// The meter's end of one channel: filter state, peaks and the samples of the batch under way.
struct Channel {
  double weight;
  KWeightingState state{};
  PeakMeter peaks;
  std::vector<float> samples;  // PeakMeter::kHistory samples of the past, then the batch

  float* batch() { return samples.data() + PeakMeter::kHistory; }
};

}  // namespace

// Works in batches of eight 10 ms sub-blocks that lie on a fixed grid, so that no reading depends on how the
// stream is cut into blocks. In a batch, each sub-block of a channel is a lane of the vector kernels.
class LoudnessMeter::Impl {
 public:
  Impl(const StreamFormat& format, const LoudnessOptions& options)
      : rateHz_(checked(format).sampleRateHz),
        options_(options),
        filter_(kWeighting(rateHz_)),
        segment_(filter_, static_cast<std::size_t>(rateHz_ / 100)),
        windows_(rateHz_, options.timeline) {
    constexpr std::size_t kPadding = 8;  // kernels read past a segment's end
    const std::size_t capacity = kSegments * (segment_.frames() + 1) + kPadding;
    for (const ChannelRole role : format.channels)
      channels_.push_back({weight(role),
                           {},
                           PeakMeter(options.truePeak),
                           std::vector<float>(PeakMeter::kHistory + capacity, 0.0f)});
    startBatch();
  }

  void push(const Block& block) {
    for (std::size_t done = 0; done < block.frames;) {
      const std::size_t count = std::min(block.frames - done, batchFrames_ - filled_);
      for (std::size_t c = 0; c < channels_.size(); ++c)
        std::copy_n(block.channels[c] + done, count, channels_[c].batch() + filled_);
      filled_ += count;
      done += count;
      if (filled_ == batchFrames_) {
        measure(kSegments);
        startBatch();
      }
    }
    anything_ = anything_ || block.frames > 0;
  }

  Loudness finish() {
    // Sub-blocks that are complete count; zeros fill up the rest of the batch.
    std::size_t complete = 0;
    while (complete < kSegments && offsets_[complete + 1] <= filled_) ++complete;
    for (Channel& channel : channels_)
      std::fill(channel.batch() + filled_, channel.batch() + batchFrames_, 0.0f);
    measure(complete);
    for (Channel& channel : channels_) {  // what the interpolator still makes of the last samples
      std::fill_n(channel.batch(), kPeakChunk, 0.0f);
      channel.peaks.push(channel.batch(), kPeakChunk);
    }
    Loudness result;
    windows_.finish(result);
    finishPeaks(result);
    return result;
  }

 private:
  void startBatch() {
    for (std::size_t lane = 0; lane <= kSegments; ++lane)
      offsets_[lane] =
          static_cast<std::size_t>(subBlockStart(subBlock_ + static_cast<std::int64_t>(lane), rateHz_) -
                                   subBlockStart(subBlock_, rateHz_));
    batchFrames_ = offsets_[kSegments];
    filled_ = 0;
  }

  // Measures the full batch, of which the first `complete` sub-blocks count.
  void measure(std::size_t complete) {
    std::array<double, kSegments> total{};
    for (Channel& channel : channels_) {
      channel.peaks.push(channel.batch(), batchFrames_);
      if (channel.weight > 0.0) addEnergies(channel, total);
      std::copy_n(channel.batch() + batchFrames_ - PeakMeter::kHistory, PeakMeter::kHistory,
                  channel.samples.data());
    }
    for (std::size_t lane = 0; lane < complete; ++lane) windows_.push(total[lane]);
    subBlock_ += static_cast<std::int64_t>(complete);
  }

  void addEnergies(Channel& channel, std::array<double, kSegments>& total) {
    const simd::LoudnessKernels& kernels = simd::kernels().loudness;
    const std::size_t frames = segment_.frames();
    std::array<const float*, kSegments> segments;
    for (std::size_t lane = 0; lane < kSegments; ++lane) segments[lane] = channel.batch() + offsets_[lane];

    // What state each sub-block starts from: from rest first, then handed on from one to the next.
    std::array<double, 4 * kSegments> fromRest, states;
    kernels.endStates(segments.data(), segment_.response(), segment_.planeSize(), fromRest.data());
    for (std::size_t lane = 0; lane < kSegments; ++lane) {
      for (std::size_t delay = 0; delay < 4; ++delay) states[kSegments * delay + lane] = channel.state[delay];
      KWeightingState next = segment_.carry(channel.state);
      for (std::size_t delay = 0; delay < 4; ++delay) next[delay] += fromRest[4 * lane + delay];
      if (hasExtraFrame(lane)) kWeightingStep(filter_, next, static_cast<double>(segments[lane][frames]));
      for (double& delay : next)
        if (std::abs(delay) < 1e-30) delay = 0.0;  // silence must not end in denormal numbers, which are slow
      channel.state = next;
    }

    std::array<double, kSegments> energies;
    kernels.weightedEnergies(segments.data(), frames, filter_, states.data(), energies.data());
    for (std::size_t lane = 0; lane < kSegments; ++lane) {
      if (hasExtraFrame(lane)) {
        KWeightingState end;
        for (std::size_t delay = 0; delay < 4; ++delay) end[delay] = states[kSegments * delay + lane];
        const double last = kWeightingStep(filter_, end, static_cast<double>(segments[lane][frames]));
        energies[lane] += last * last;
      }
      total[lane] += channel.weight * energies[lane];
    }
  }

  // At rates that 10 ms do not divide some sub-blocks are a frame longer than the others.
  bool hasExtraFrame(std::size_t lane) const {
    return offsets_[lane + 1] - offsets_[lane] > segment_.frames();
  }

  void finishPeaks(Loudness& result) const {
    float samplePeak = 0.0f, truePeak = 0.0f;
    for (const Channel& channel : channels_) {
      samplePeak = std::max(samplePeak, channel.peaks.samplePeak());
      truePeak = std::max(truePeak, channel.peaks.truePeak());
    }
    if (samplePeak == 0.0f) {
      result.peakReason = anything_ ? "silent" : "audio_too_short";
      return;
    }
    result.samplePeakDbfs = 20.0 * std::log10(static_cast<double>(samplePeak));
    if (options_.truePeak) result.truePeakDbtp = 20.0 * std::log10(static_cast<double>(truePeak));
  }

  int rateHz_;
  LoudnessOptions options_;
  KWeighting filter_;
  KWeightingSegment segment_;
  LoudnessWindows windows_;
  std::vector<Channel> channels_;
  std::int64_t subBlock_ = 0;                         // first of the batch
  std::array<std::size_t, kSegments + 1> offsets_{};  // of the sub-blocks in the batch, and its end
  std::size_t batchFrames_ = 0, filled_ = 0;
  bool anything_ = false;
};

LoudnessMeter::LoudnessMeter(const StreamFormat& format, const LoudnessOptions& options)
    : impl_(std::make_unique<Impl>(format, options)) {}

LoudnessMeter::~LoudnessMeter() = default;

void LoudnessMeter::push(const Block& block) {
  impl_->push(block);
}

Loudness LoudnessMeter::finish() {
  return impl_->finish();
}

}  // namespace tonearm
