#include <algorithm>

#include "binding/convert.hpp"

namespace tonearm::binding {
namespace {

// The reference level of ReplayGain 2.0: gain = −18 LUFS − integrated loudness.
constexpr double kReplayGainReferenceLufs = -18.0;

void setLevel(Napi::Object out, Reasons& reasons, const char* field, std::optional<double> level,
              const char* reason) {
  if (level) {
    out.Set(field, hundredths(*level));
  } else {
    out.Set(field, out.Env().Null());
    reasons.add(field, reason);
  }
}

Napi::Array levelArray(Napi::Env env, const std::vector<double>& levels) {
  Napi::Array out = Napi::Array::New(env, levels.size());
  for (std::uint32_t i = 0; i < levels.size(); ++i) {
    // Silence measures −infinity, which JSON cannot carry.
    out.Set(i, std::isfinite(levels[i]) ? Napi::Value(Napi::Number::New(env, hundredths(levels[i])))
                                        : env.Null());
  }
  return out;
}

}  // namespace

Napi::Object loudnessObject(Napi::Env env, const Analysis& analysis) {
  const Loudness& loudness = *analysis.loudness;
  Napi::Object out = Napi::Object::New(env);
  Reasons reasons(env);
  setLevel(out, reasons, "integrated_lufs", loudness.integratedLufs, loudness.integratedReason);
  setLevel(out, reasons, "loudness_range_lu", loudness.loudnessRangeLu, loudness.loudnessRangeReason);
  setLevel(out, reasons, "max_momentary_lufs", loudness.maxMomentaryLufs, loudness.momentaryReason);
  setLevel(out, reasons, "max_short_term_lufs", loudness.maxShortTermLufs, loudness.shortTermReason);
  setLevel(out, reasons, "true_peak_dbtp", loudness.truePeakDbtp, loudness.peakReason);
  setLevel(out, reasons, "sample_peak_dbfs", loudness.samplePeakDbfs, loudness.peakReason);
  out.Set("channels", analysis.audio.format.channelCount());
  out.Set("sample_rate_hz", analysis.audio.format.sampleRateHz);
  out.Set("duration_s", milliseconds(analysis.durationS));
  std::optional<double> replayGainDb;
  if (loudness.integratedLufs) replayGainDb = kReplayGainReferenceLufs - *loudness.integratedLufs;
  setLevel(out, reasons, "replaygain_db", replayGainDb, loudness.integratedReason);
  if (!loudness.momentaryLufs.empty() || !loudness.shortTermLufs.empty()) {
    Napi::Object timeline = Napi::Object::New(env);
    timeline.Set("step_s", loudness.timelineStepS);
    timeline.Set("momentary_lufs", levelArray(env, loudness.momentaryLufs));
    timeline.Set("short_term_lufs", levelArray(env, loudness.shortTermLufs));
    out.Set("timeline", timeline);
  }
  reasons.attachTo(out);
  return out;
}

}  // namespace tonearm::binding
