#include "core/rhythm/rhythm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "core/rhythm/bar_decoder.hpp"
#include "core/rhythm/beat_decoder.hpp"
#include "core/rhythm/beat_network.hpp"
#include "core/rhythm/mel_features.hpp"
#include "core/rhythm/onset_strength.hpp"
#include "core/rhythm/tempo_choice.hpp"
#include "core/rhythm/tempo_curve.hpp"

namespace tonearm {

namespace {

// The decoder works at twice the front end's rate: at 240 BPM a beat is 12.5 frames of the front end, too
// coarse a grid.
constexpr int kUpsampling = 2;
constexpr double kDecoderRateHz = MelFeatures::kFrameRateHz * kUpsampling;
constexpr std::int64_t kReachFrames = 3;  // evidence belongs to a beat up to this far (30 ms) from it

// How far evidence of either kind is to be believed.
struct EvidenceModel {
  float beatLimit;          // log odds of one frame count no more than this
  double leastBeatLogOdds;  // a mean of all beats below this means that there is no beat
  double latenessS;         // how far behind the evidence's peak the sound of a beat begins
  BeatModel beats;
  BarModel bars;
};
constexpr float kOnsetDownbeatLimit = 3;
constexpr float kOnsetDownbeatWeight = 0.2f;  // beside the network's evidence
constexpr EvidenceModel kOnsetModel = {4, 0, 0.005, {1, 0, 0, 60, 10}, {1.5f, 8}};
constexpr EvidenceModel kNetworkModel = {6, -1, 0.009, {0.7f, 0.6f, 0.75f, 60, 15}, {0.8f, 12}};

constexpr double kShortestS = 1.5;
constexpr float kSilencePeak = 1e-4f;  // −80 dBFS

// Noise and steady tones rise above their surroundings in 0.2 % of the frames, music in more than 1.5 %.
bool hasOnsets(const std::vector<float>& onsetLogOdds) {
  constexpr float kOnset = 1;
  constexpr double kLeastShare = 0.005;
  const auto count =
      std::count_if(onsetLogOdds.begin(), onsetLogOdds.end(), [](float odds) { return odds > kOnset; });
  return static_cast<double>(count) > kLeastShare * static_cast<double>(onsetLogOdds.size());
}

// The network goes by habit and hears beats where nothing sounds; a beat without an onset is possible, but
// less likely.
std::vector<float> doubtedWhereNothingBegins(std::vector<float> beatLogOdds,
                                             const std::vector<float>& onsetLogOdds) {
  constexpr float kWeight = 0.25f;
  for (std::size_t i = 0; i < beatLogOdds.size(); ++i) {
    const float before = i > 0 ? onsetLogOdds[i - 1] : onsetLogOdds[i];
    const float after = i + 1 < onsetLogOdds.size() ? onsetLogOdds[i + 1] : onsetLogOdds[i];
    const float lacking = std::min(0.0f, std::max({before, onsetLogOdds[i], after}));
    beatLogOdds[i] -= kWeight * lacking * lacking;
  }
  return beatLogOdds;
}

// The log odds that a beat is a downbeat, from those of a beat here and of a downbeat here.
float givenBeat(float downbeatLogOdds, float beatLogOdds) {
  constexpr float kLeast = 0.01f;
  const auto probability = [](float logOdds) { return 1 / (1 + std::exp(-logOdds)); };
  const float downbeat = probability(downbeatLogOdds);
  const float share = std::clamp(downbeat / std::max(probability(beatLogOdds), downbeat), kLeast, 1 - kLeast);
  return std::log(share / (1 - share));
}

std::vector<float> upsampled(const std::vector<float>& values, float limit) {
  std::vector<float> result(values.size() * kUpsampling);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float here = std::clamp(values[i], -limit, limit);
    const float next = i + 1 < values.size() ? std::clamp(values[i + 1], -limit, limit) : here;
    result[kUpsampling * i] = here;
    result[kUpsampling * i + 1] = (here + next) / 2;
  }
  return result;
}

// The largest of the front end's values that belong to a beat.
float largestNear(const std::vector<float>& values, std::int64_t decoderFrame) {
  const std::int64_t count = static_cast<std::int64_t>(values.size());
  float largest = std::numeric_limits<float>::lowest();
  for (std::int64_t i = std::max<std::int64_t>(0, (decoderFrame - kReachFrames) / kUpsampling);
       i <= std::min(count - 1, (decoderFrame + kReachFrames) / kUpsampling); ++i)
    largest = std::max(largest, values[i]);
  return largest;
}

// Where the evidence near a beat peaks, in seconds, by a parabola through the highest frame and its
// neighbours.
double peakTimeS(const std::vector<float>& evidence, std::int64_t decoderFrame) {
  const std::int64_t count = static_cast<std::int64_t>(evidence.size());
  const std::int64_t from = std::max<std::int64_t>(0, (decoderFrame - kReachFrames + 1) / kUpsampling);
  const std::int64_t to = std::min(count - 1, (decoderFrame + kReachFrames) / kUpsampling);
  std::int64_t peak = from;
  for (std::int64_t i = from; i <= to; ++i) {
    if (evidence[i] > evidence[peak]) peak = i;
  }
  const bool isPeak = peak > 0 && peak + 1 < count && evidence[peak] > evidence[peak - 1] &&
                      evidence[peak] >= evidence[peak + 1];
  if (!isPeak) return static_cast<double>(decoderFrame) / kDecoderRateHz;
  const double left = evidence[peak - 1], middle = evidence[peak], right = evidence[peak + 1];
  const double shift = 0.5 * (left - right) / (left - 2 * middle + right);
  return (static_cast<double>(peak) + shift) / MelFeatures::kFrameRateHz;
}

// Frames of the decoder from the first sound to the last.
struct Sounding {
  std::size_t first = 0, end = 0;
};

std::vector<DecodedBeat> decodeBeats(const std::vector<float>& logOdds, Sounding sounding,
                                     const BeatModel& model, TempoRange range, CancelToken cancel) {
  constexpr std::size_t kPieceFrames = 8192;  // between two looks at the cancel flag: a few milliseconds
  BeatDecoder decoder(kDecoderRateHz, model, range);
  for (std::size_t first = sounding.first; first < sounding.end; first += kPieceFrames) {
    cancel.check();
    decoder.push(std::span(logOdds).subspan(first, std::min(kPieceFrames, sounding.end - first)));
  }
  std::vector<DecodedBeat> beats = decoder.finish();
  for (DecodedBeat& beat : beats) beat.frame += static_cast<std::int64_t>(sounding.first);
  return beats;
}

// The tempi that nearly all of these beats have, times `ratio`, and some way beyond.
TempoRange rangeAround(const std::vector<DecodedBeat>& beats, double ratio) {
  std::vector<int> intervals;
  for (const DecodedBeat& beat : beats) intervals.push_back(beat.intervalFrames);
  std::sort(intervals.begin(), intervals.end());
  const double shortest = intervals[intervals.size() / 20], longest = intervals[intervals.size() * 19 / 20];
  constexpr TempoRange kWhole;
  return {std::max(kWhole.minBpm, 0.8 * ratio * 60 * kDecoderRateHz / longest),
          std::min(kWhole.maxBpm, 1.25 * ratio * 60 * kDecoderRateHz / shortest)};
}

Rhythm undetermined(const char* reason) {
  Rhythm rhythm;
  rhythm.reason = reason;
  return rhythm;
}

}  // namespace

class RhythmTracker::Impl {
 public:
  explicit Impl(std::span<const std::uint8_t> beatWeights)
      : features_([this](std::span<const float> rows, std::size_t frames) {
          onsets_.push(rows, frames);
          if (network_) network_->push(rows, frames);
        }) {
    if (!beatWeights.empty()) network_.emplace(beatWeights);
  }

  void push(std::span<const float> mono) {
    for (std::size_t i = 0; i < mono.size(); ++i) {
      if (std::abs(mono[i]) < kSilencePeak) continue;
      if (!firstSound_) firstSound_ = samples_ + i;
      lastSound_ = samples_ + i;
    }
    samples_ += mono.size();
    features_.push(mono);
  }

  Rhythm finish(CancelToken cancel) {
    features_.finish();
    if (!firstSound_) return undetermined("silent");
    if (static_cast<double>(samples_) < kShortestS * kAnalysisRateHz) return undetermined("audio_too_short");
    const Activations onsets = onsets_.finish();
    if (!hasOnsets(onsets.beatLogOdds)) return undetermined("no_beat");
    return decode(onsets, cancel);
  }

 private:
  Sounding soundingFrames(std::size_t frames) const {
    constexpr std::size_t kSamplesPerFrame = MelFeatures::kHop / kUpsampling;
    const std::size_t first = *firstSound_ / kSamplesPerFrame;
    return {first, std::min(frames, lastSound_ / kSamplesPerFrame + 2)};
  }

  Rhythm decode(const Activations& onsets, CancelToken cancel) {
    const EvidenceModel& model = network_ ? kNetworkModel : kOnsetModel;
    const Activations heard = network_ ? network_->finish() : onsets;
    const std::vector<float> beatOdds = upsampled(
        network_ ? doubtedWhereNothingBegins(heard.beatLogOdds, onsets.beatLogOdds) : heard.beatLogOdds,
        model.beatLimit);
    const Sounding sounding = soundingFrames(beatOdds.size());
    std::vector<DecodedBeat> beats = decodeBeats(beatOdds, sounding, model.beats, {}, cancel);
    if (!network_) dropSubdivisions(beats, onsets_.ranges(), kUpsampling, kDecoderRateHz);
    TempoChoice choice = weighLevels(beatOdds, beats, kDecoderRateHz);
    if (choice.levels.empty() || choice.evidence < model.leastBeatLogOdds) return undetermined("no_beat");
    const double level = network_ ? choice.levels.front().ratio : 1;
    if (level != 1) beats = decodeBeats(beatOdds, sounding, model.beats, rangeAround(beats, level), cancel);

    Rhythm rhythm;
    std::vector<float> downbeatEvidence;
    for (const DecodedBeat& beat : beats) {
      const double timeS = peakTimeS(heard.beatLogOdds, beat.frame) + model.latenessS;
      if (!rhythm.beatsS.empty() && timeS <= rhythm.beatsS.back()) continue;
      rhythm.beatsS.push_back(timeS);
      const float onset = std::clamp(largestNear(onsets.downbeatLogOdds, beat.frame), -kOnsetDownbeatLimit,
                                     kOnsetDownbeatLimit);
      downbeatEvidence.push_back(network_ ? givenBeat(largestNear(heard.downbeatLogOdds, beat.frame),
                                                      largestNear(heard.beatLogOdds, beat.frame)) +
                                                kOnsetDownbeatWeight * onset
                                          : onset);
    }
    if (rhythm.beatsS.size() < 2) return undetermined("no_beat");

    const std::vector<TempoSegment> segments = fitTempo(rhythm.beatsS);
    const double bpm = medianBpm(segments);
    for (const TempoSegment& segment : segments)
      rhythm.tempoChanges.push_back({rhythm.beatsS[segment.firstBeat], 60 / segment.periodS});
    std::stable_partition(choice.levels.begin(), choice.levels.end(),
                          [level](const TempoLevel& other) { return other.ratio == level; });
    for (const TempoLevel& other : choice.levels)
      rhythm.tempi.push_back({bpm * other.ratio / level, other.confidence});
    if (rhythm.tempi.size() > 1 && choice.inDoubt) rhythm.altBpm = rhythm.tempi[1].bpm;

    Bars bars = decodeBars(downbeatEvidence, model.bars);
    rhythm.positions = std::move(bars.positions);
    rhythm.timeSignature = bars.metre;
    return rhythm;
  }

  OnsetStrength onsets_;
  std::optional<BeatNetwork> network_;
  MelFeatures features_;
  std::size_t samples_ = 0;
  std::optional<std::size_t> firstSound_;
  std::size_t lastSound_ = 0;
};

RhythmTracker::RhythmTracker(std::span<const std::uint8_t> beatWeights)
    : impl_(std::make_unique<Impl>(beatWeights)) {}
RhythmTracker::~RhythmTracker() = default;
void RhythmTracker::push(std::span<const float> mono) {
  impl_->push(mono);
}
Rhythm RhythmTracker::finish(CancelToken cancel) {
  return impl_->finish(cancel);
}

}  // namespace tonearm
