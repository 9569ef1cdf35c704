// A program of its own, so that the process's peak of memory is this test's.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "check.hpp"
#include "core/pipeline/pipeline.hpp"
#include "pipeline/song.hpp"

using namespace tonearm;

namespace {

// Peak resident memory of this process in MB, its share of mapped files included.
double peakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes / 1000;
  }
  return 0;
}

// A WAV file of a song played over and over.
class LongWav {
 public:
  static constexpr int kRepeats = 45;
  static constexpr double kSongS = 16;

  LongWav() {
    const auto once = fixture::encode(song::play(kSongS, 0), {"wav", "pcm_s16le", song::kRateHz, 0, "", {}});
    constexpr std::size_t kDataBytes = static_cast<std::size_t>(kSongS) * song::kRateHz * 4;
    const std::size_t headerBytes = once.size() - kDataBytes;
    std::vector<std::uint8_t> header(once.begin(), once.begin() + static_cast<std::ptrdiff_t>(headerBytes));
    const std::size_t size = kDataBytes * kRepeats;
    for (std::size_t i = 0; i < 4; ++i)
      header[headerBytes - 4 + i] = static_cast<std::uint8_t>(size >> (8 * i));
    std::FILE* stream = ::fdopen(::mkstemp(path_.data()), "w");
    std::fwrite(header.data(), 1, headerBytes, stream);
    for (int i = 0; i < kRepeats; ++i) std::fwrite(once.data() + headerBytes, 1, kDataBytes, stream);
    std::fclose(stream);
  }
  ~LongWav() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/pipeline_memory_test_XXXXXX";
};

}  // namespace

TEST("a long file analysed for everything takes a fraction of its size in memory") {
  const LongWav wav;
  const MappedFile file(wav.path());
  const double before = peakMegabytes();
  const Analysis analysis = analyze(file, {.rhythm = true, .key = true, .loudness = true});
  const double grown = peakMegabytes() - before;
  std::printf("# %.0f MB of WAV, %.0f s: the peak grew by %.1f MB\n",
              static_cast<double>(file.bytes().size()) / 1e6, analysis.durationS, grown);
  CHECK_NEAR(analysis.durationS, LongWav::kRepeats * LongWav::kSongS, 1e-9);
  CHECK(before > 0);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  std::printf("# not judged: a sanitizer has memory of its own\n");
#else
  CHECK(grown < 64);
#endif
}
