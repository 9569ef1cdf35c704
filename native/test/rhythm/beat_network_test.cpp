#include "core/rhythm/beat_network.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "core/rhythm/beat_weights.hpp"
#include "core/rhythm/mel_features.hpp"
#include "core/rhythm/weight_file.hpp"
#include "core/support/error.hpp"

using namespace tonearm;

namespace {

std::vector<float> someFeatures(std::size_t frames) {
  std::vector<float> features;
  std::uint32_t state = 5;
  for (std::size_t i = 0; i < frames * MelFeatures::kBands; ++i) {
    state = state * 1664525u + 1013904223u;
    const bool onset = i / MelFeatures::kBands % 23 < 2;
    features.push_back(static_cast<float>(state >> 8) / 16777216.0f * (onset ? 5 : 1));
  }
  return features;
}

Activations run(const std::vector<float>& features, std::size_t block) {
  BeatNetwork network(shippedBeatWeights());
  const std::size_t frames = features.size() / MelFeatures::kBands;
  for (std::size_t at = 0; at < frames; at += block) {
    const std::size_t count = std::min(block, frames - at);
    network.push({features.data() + at * MelFeatures::kBands, count * MelFeatures::kBands}, count);
  }
  return network.finish();
}

// Largest difference over [first, end) of two rows of values.
double largestDifference(const std::vector<float>& a, const std::vector<float>& b, std::size_t first,
                         std::size_t end) {
  double largest = 0;
  for (std::size_t i = first; i < end; ++i)
    largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
  return largest;
}

}  // namespace

TEST("the network gives one value a frame, the same however its input is cut") {
  const std::vector<float> features = someFeatures(1501);
  const Activations whole = run(features, 1501);
  CHECK(whole.beatLogOdds.size() == 1501 && whole.downbeatLogOdds.size() == 1501);
  for (const std::size_t block : {1, 7, 480, 999}) {
    const Activations cut = run(features, block);
    CHECK(cut.beatLogOdds == whole.beatLogOdds);
    CHECK(cut.downbeatLogOdds == whole.downbeatLogOdds);
  }
}

TEST("a recording longer than a piece is heard as a part of it is, away from the part's ends") {
  const std::size_t frames = 21000, first = 14000, end = 20000, context = 1200;
  const std::vector<float> features = someFeatures(frames);
  const Activations whole = run(features, 4096);
  const std::vector<float> middle(features.begin() + static_cast<std::ptrdiff_t>(first * MelFeatures::kBands),
                                  features.begin() + static_cast<std::ptrdiff_t>(end * MelFeatures::kBands));
  const Activations part = run(middle, 4096);
  const std::vector<float> same(whole.beatLogOdds.begin() + first, whole.beatLogOdds.begin() + end);
  CHECK(whole.beatLogOdds.size() == frames);
  CHECK(largestDifference(same, part.beatLogOdds, context, end - first - context) < 1e-4);
}

TEST("nothing in, nothing out") {
  CHECK(run({}, 1).beatLogOdds.empty());
}

TEST("a damaged weight file is refused, wherever it is cut") {
  const auto shipped = shippedBeatWeights();
  CHECK(readWeights(shipped).size() > 20);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{4}, std::size_t{10}, std::size_t{100}, shipped.size() - 1})
    CHECK_THROWS(ErrorCode::internalError, readWeights(shipped.first(size)));
  std::vector<std::uint8_t> longer(shipped.begin(), shipped.end());
  longer.push_back(0);
  CHECK_THROWS(ErrorCode::internalError, readWeights(longer));
  longer.pop_back();
  longer[0] = 'X';
  CHECK_THROWS(ErrorCode::internalError, readWeights(longer));
}
