// The key of raw files (32-bit float mono, 22050 Hz), one JSON object a line.
//
//   key_dump FILE.f32…
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
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
    const auto start = std::chrono::steady_clock::now();
    tonearm::KeyDetector detector;
    detector.push(samples);
    const tonearm::Key key = detector.finish();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::printf("{\"file\": \"%s\", \"ms\": %.2f", file.stem().c_str(), took.count());
    if (key.reason) std::printf(", \"reason\": \"%s\"", key.reason);
    if (key.tuningHz) std::printf(", \"tuning_hz\": %.2f", *key.tuningHz);
    std::printf(", \"candidates\": [");
    for (std::size_t k = 0; k < key.candidates.size(); ++k)
      std::printf("%s[\"%s\", \"%s\", %.4f]", k ? ", " : "", kNames[key.candidates[k].tonic],
                  key.candidates[k].minor ? "minor" : "major", key.candidates[k].confidence);
    std::printf("]}\n");
  }
}
