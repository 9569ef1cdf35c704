#include "core/loudness/loudness_windows.hpp"

#include <algorithm>

#include "core/loudness/gate.hpp"

namespace tonearm {
namespace {

constexpr std::int64_t kStep = SlidingSum::kGroup;  // sub-blocks in 100 ms
constexpr std::int64_t kMomentary = 40, kShortTerm = 300;
constexpr const char* kTooShort = "audio_too_short";
constexpr const char* kSilent = "silent";

}  // namespace

LoudnessWindows::LoudnessWindows(int sampleRateHz, bool timeline)
    : sampleRateHz_(sampleRateHz),
      timeline_(timeline),
      momentary_(kMomentary / kStep),
      shortTerm_(kShortTerm / kStep) {}

double LoudnessWindows::windowFrames(std::int64_t length) const {
  const std::int64_t end =
      std::max(subBlocks_, length);  // a window that starts before the signal is silent there
  return static_cast<double>(subBlockStart(end, sampleRateHz_) - subBlockStart(end - length, sampleRateHz_));
}

void LoudnessWindows::push(double energy) {
  ++subBlocks_;
  const double momentary = momentary_.push(energy) / windowFrames(kMomentary);
  const double shortTerm = shortTerm_.push(energy) / windowFrames(kShortTerm);
  const bool onStep = subBlocks_ % kStep == 0;
  if (subBlocks_ >= kMomentary) {
    maxMomentary_ = std::max(maxMomentary_, momentary);
    if (onStep && momentary > absoluteGate()) gatingBlocks_.push_back(momentary);
  }
  if (subBlocks_ >= kShortTerm) {
    maxShortTerm_ = std::max(maxShortTerm_, shortTerm);
    if (onStep && shortTerm > absoluteGate()) rangeWindows_.push_back(shortTerm);
  }
  if (timeline_ && onStep) {
    momentaryTimeline_.push_back(lufs(momentary));
    shortTermTimeline_.push_back(lufs(shortTerm));
  }
}

void LoudnessWindows::finish(Loudness& result) const {
  const auto reason = [this](std::int64_t window) { return subBlocks_ < window ? kTooShort : kSilent; };
  result.integratedLufs = integratedLoudness(gatingBlocks_);
  if (!result.integratedLufs) result.integratedReason = reason(kMomentary);
  result.loudnessRangeLu = loudnessRange(rangeWindows_);
  if (!result.loudnessRangeLu) result.loudnessRangeReason = reason(kShortTerm);
  if (maxMomentary_ > 0.0)
    result.maxMomentaryLufs = lufs(maxMomentary_);
  else
    result.momentaryReason = reason(kMomentary);
  if (maxShortTerm_ > 0.0)
    result.maxShortTermLufs = lufs(maxShortTerm_);
  else
    result.shortTermReason = reason(kShortTerm);
  result.momentaryLufs = momentaryTimeline_;
  result.shortTermLufs = shortTermTimeline_;
}

}  // namespace tonearm
