// The key of raw files (32-bit float mono, 22050 Hz), one JSON object a line.
//
//   key_dump FILE.f32…
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

#include "core/tonal/key.hpp"

int main(int argc, char** argv) {
  static const char* const kNames[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path file = argv[i];
    std::vector<float> samples(std::filesystem::file_size(file) / sizeof(float));
    std::ifstream(file, std::ios::binary)
        .read(reinterpret_cast<char*>(samples.data()),
              static_cast<std::streamsize>(samples.size() * sizeof(float)));
    const std::clock_t start = std::clock();  // processor time
    tonearm::KeyDetector detector;
    for (std::span<const float> rest = samples; !rest.empty();) {
      const std::size_t size = std::min<std::size_t>(rest.size(), 4096);
      detector.push(rest.first(size));
      rest = rest.subspan(size);
    }
    const tonearm::Key key = detector.finish();
    const double tookMs = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("{\"file\": \"%s\", \"ms\": %.2f", file.stem().c_str(), tookMs);
    if (key.reason) std::printf(", \"reason\": \"%s\"", key.reason);
    if (key.tuningHz) std::printf(", \"tuning_hz\": %.2f", *key.tuningHz);
    std::printf(", \"candidates\": [");
    for (std::size_t k = 0; k < key.candidates.size(); ++k)
      std::printf("%s[\"%s\", \"%s\", %.4f]", k ? ", " : "", kNames[key.candidates[k].tonic],
                  key.candidates[k].minor ? "minor" : "major", key.candidates[k].confidence);
    std::printf("]}\n");
  }
}
