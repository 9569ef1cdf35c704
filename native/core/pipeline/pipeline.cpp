#include "core/pipeline/pipeline.hpp"

#include <cstdio>
#include <string>

#include "core/dsp/analysis_signal.hpp"

namespace tonearm {
namespace {

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", value);
  return text;
}

// Blocks between two rounds of giving a mapped file's pages back: a few megabytes of it.
constexpr int kBlocksToForget = 512;

// `file`: where `bytes` come from when they are mapped, else null.
Analysis run(std::span<const std::uint8_t> bytes, const MappedFile* file, const AnalysisRequest& request,
             CancelToken cancel) {
  Decoder decoder(bytes, DecodeLimits{.maxDurationS = request.maxDurationS}, cancel);
  Analysis analysis;
  analysis.audio = decoder.info();
  const StreamFormat& format = analysis.audio.format;

  std::optional<RhythmTracker> rhythm;
  std::optional<KeyDetector> key;
  std::optional<LoudnessMeter> loudness;
  std::optional<AnalysisSignal> mono;
  if (request.rhythm) rhythm.emplace();
  if (request.key) key.emplace();
  if (request.loudness) loudness.emplace(format, LoudnessOptions{.timeline = request.loudnessTimeline});
  if (rhythm || key) {
    mono.emplace(format, [&](std::span<const float> signal) {
      if (rhythm) rhythm->push(signal);
      if (key) key->push(signal);
    });
  }

  std::uint64_t frames = 0;
  int blocks = 0;
  for (Block block = decoder.next(); block.frames != 0; block = decoder.next()) {
    frames += block.frames;
    if (loudness) loudness->push(block);
    if (mono) mono->push(block);
    if (file != nullptr && ++blocks % kBlocksToForget == 0) file->forget();
    cancel.check();
  }

  analysis.durationS = static_cast<double>(frames) / format.sampleRateHz;
  if (analysis.durationS < request.minDurationS) {
    throw Error(ErrorCode::audioTooShort, "The audio lasts " + seconds(analysis.durationS) +
                                              ", but at least " + seconds(request.minDurationS) +
                                              " are needed.");
  }
  if (mono) mono->finish();
  if (rhythm) analysis.rhythm = rhythm->finish(cancel);
  cancel.check();
  if (key) analysis.key = key->finish(cancel);
  cancel.check();
  if (loudness) analysis.loudness = loudness->finish();
  return analysis;
}

}  // namespace

Analysis analyze(std::span<const std::uint8_t> bytes, const AnalysisRequest& request, CancelToken cancel) {
  return run(bytes, nullptr, request, cancel);
}

Analysis analyze(const MappedFile& file, const AnalysisRequest& request, CancelToken cancel) {
  return run(file.bytes(), &file, request, cancel);
}

}  // namespace tonearm
