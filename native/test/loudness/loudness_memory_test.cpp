// A program of its own, because it counts every allocation of the process.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "check.hpp"
#include "measure.hpp"

namespace {

constexpr std::size_t kHeader = 16;  // keeps the alignment that operator new promises
std::size_t live = 0, peak = 0;

}  // namespace

// Not inlined: the compiler would take the header in front of what it believes a plain allocation for an
// error.
[[gnu::noinline]] void* operator new(std::size_t size) {
  auto* start = static_cast<std::size_t*>(std::malloc(size + kHeader));
  if (start == nullptr) throw std::bad_alloc();
  *start = size;
  live += size;
  peak = std::max(peak, live);
  return reinterpret_cast<char*>(start) + kHeader;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  auto* start = reinterpret_cast<std::size_t*>(static_cast<char*>(memory) - kHeader);
  live -= *start;
  std::free(start);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

using namespace tonearm;

namespace {

// Bytes that a meter has kept after `hours` of noise, which fills every list that can fill.
std::size_t keptBytes(double hours, bool timeline) {
  constexpr int kRateHz = 8000;
  const std::vector<float> second = signals::noise(kRateHz, 0.1F);
  const float* const channel = second.data();
  const std::size_t before = live;
  LoudnessMeter meter(signals::format(kRateHz, 1), {.timeline = timeline});
  for (int s = 0; s < static_cast<int>(hours * 3600); ++s) meter.push({{&channel, 1}, second.size()});
  return live - before;
}

}  // namespace

TEST("the meter keeps 576 kB an hour, twice that with a timeline, and a little room to grow") {
  constexpr double kHourBytes = 576e3, kFixedBytes = 100e3;
  for (const bool timeline : {false, true}) {
    const double listed = (timeline ? 2 : 1) * kHourBytes;
    // A vector holds at most twice what is in it.
    for (const double hours : {0.1, 1.0, 2.0})
      CHECK(static_cast<double>(keptBytes(hours, timeline)) < 2 * hours * listed + kFixedBytes);
    CHECK(static_cast<double>(keptBytes(1, timeline)) > listed);  // that the count counts
  }
}

TEST("the end of a measurement copies each list at most once") {
  constexpr int kRateHz = 8000;
  const std::vector<float> second = signals::noise(kRateHz, 0.1F);
  const float* const channel = second.data();
  LoudnessMeter meter(signals::format(kRateHz, 1), {.timeline = true});
  for (int s = 0; s < 3600; ++s) meter.push({{&channel, 1}, second.size()});
  const std::size_t before = peak = live;
  const Loudness loudness = meter.finish();
  CHECK(loudness.momentaryLufs.size() == 36000);
  CHECK(peak - before < 1'200'000);
}
