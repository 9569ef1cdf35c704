// Prints what the rhythm stage finds as JSON, one line a file: rhythm_dump [--classical] FILE.f32…
// FILE is raw little-endian mono float at 22050 Hz; "process_ms" is the stage's own time.
#include <chrono>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/rhythm/rhythm.hpp"

namespace {

std::vector<float> readSamples(const char* path) {
  std::vector<float> samples;
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return samples;
  std::vector<float> block(1 << 16);
  while (const std::size_t count = std::fread(block.data(), sizeof(float), block.size(), file))
    samples.insert(samples.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
  std::fclose(file);
  return samples;
}

void print(const char* path, const tonearm::Rhythm& rhythm, double milliseconds) {
  std::printf(
      "{\"file\":\"%s\",\"process_ms\":%.2f,\"reason\":\"%s\",\"time_signature\":%d,\"alt_bpm\":%.2f,"
      "\"tempi\":[",
      path, milliseconds, rhythm.reason != nullptr ? rhythm.reason : "", rhythm.timeSignature,
      rhythm.altBpm.value_or(0));
  const char* separator = "";
  for (const auto& tempo : rhythm.tempi) {
    std::printf("%s[%.2f,%.3f]", separator, tempo.bpm, tempo.confidence);
    separator = ",";
  }
  std::printf("],\"tempo_changes\":[");
  separator = "";
  for (const auto& change : rhythm.tempoChanges) {
    std::printf("%s[%.3f,%.2f]", separator, change.timeS, change.bpm);
    separator = ",";
  }
  std::printf("],\"beats\":[");
  for (std::size_t i = 0; i < rhythm.beatsS.size(); ++i)
    std::printf("%s[%.4f,%d]", i > 0 ? "," : "", rhythm.beatsS[i], rhythm.positions[i]);
  std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bool classical = argc > 1 && std::string_view(argv[1]) == "--classical";
  for (int i = classical ? 2 : 1; i < argc; ++i) {
    const std::vector<float> samples = readSamples(argv[i]);
    const auto start = std::chrono::steady_clock::now();
    tonearm::RhythmTracker tracker(classical ? std::span<const std::uint8_t>()
                                             : tonearm::shippedBeatWeights());
    constexpr std::size_t kBlock = 4096;
    for (std::size_t at = 0; at < samples.size(); at += kBlock)
      tracker.push({samples.data() + at, std::min(kBlock, samples.size() - at)});
    const tonearm::Rhythm rhythm = tracker.finish();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    print(argv[i], rhythm, elapsed.count());
  }
}
