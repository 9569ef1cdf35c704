// Times the pipeline on one thread, each analysis alone and all in one pass, by turns, and prints one JSON
// object:
//
//   analyze_bench FILE [rounds, default 5] [only one of: decode loudness key rhythm all]
//
// "seconds" are the fastest of the rounds, in CPU time; "peak_rss_mb" is that of the whole process, the
// file's bytes included.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

#include "core/pipeline/pipeline.hpp"
#include "core/simd/kernels.hpp"
#include "cpu_time.hpp"

namespace {

using namespace tonearm;

struct Configuration {
  const char* name;
  AnalysisRequest request;
};

constexpr Configuration kConfigurations[] = {
    {"decode", {}},
    {"loudness", {.loudness = true}},
    {"key", {.key = true}},
    {"rhythm", {.rhythm = true}},
    {"all", {.rhythm = true, .key = true, .loudness = true}},
};

double peakRssMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;  // Linux counts kilobytes
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: analyze_bench FILE [rounds] [configuration]\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;

  std::vector<Configuration> chosen;
  for (const Configuration& each : kConfigurations)
    if (argc < 4 || std::strcmp(argv[3], each.name) == 0) chosen.push_back(each);

  std::vector<double> seconds(chosen.size(), std::numeric_limits<double>::infinity());
  double durationS = 0;
  try {
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        const double start = cpuSeconds();
        durationS = analyze(bytes, chosen[i].request).durationS;
        seconds[i] = std::min(seconds[i], cpuSeconds() - start);
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 1;
  }

  std::printf("{\"duration_s\": %.3f, \"rounds\": %d, \"simd\": \"%s\", \"seconds\": {", durationS, rounds,
              simd::kernels().name);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    std::printf("%s\"%s\": %.5f", i > 0 ? ", " : "", chosen[i].name, seconds[i]);
  std::printf("}, \"peak_rss_mb\": %.1f}\n", peakRssMb());
}
