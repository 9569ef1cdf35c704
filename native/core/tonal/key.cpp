#include "core/tonal/key.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/tonal/key_blocks.hpp"
#include "core/tonal/key_network.hpp"

namespace tonearm {
namespace {

constexpr double kShortestSeconds = 3;  // a cadence takes about that long
constexpr float kSilence = 1e-6F;       // mean spectral magnitude; a sine of −70 dBFS is just above it
constexpr double kTonalShare = 0.08, kTunedConcentration = 0.2;
constexpr std::size_t kCandidates = 5;

}  // namespace

class KeyDetector::Impl {
 public:
  void push(std::span<const float> mono) {
    samples_ += mono.size();
    blocks_.push(mono);
  }

  Key finish(CancelToken cancel) {
    blocks_.finish();
    const ChromaStage& chroma = blocks_.chroma();
    Key key;
    if (static_cast<double>(samples_) < kShortestSeconds * kAnalysisRateHz) {
      key.reason = "audio_too_short";
    } else if (chroma.loudestLevel() < kSilence) {
      key.reason = "silent";
    } else if (!tonal(chroma)) {
      key.reason = "no_tonal_content";
    } else {
      if (chroma.tuning().reliable()) key.tuningHz = 440 * std::exp2(chroma.tuning().cents() / 1200);
      key.candidates = rank(network_.probabilities(blocks_.tuned(), cancel));
    }
    return key;
  }

 private:
  // Drums have pitches too, but they hold little of the sound and do not agree on a tuning.
  static bool tonal(const ChromaStage& chroma) {
    return chroma.tonalShare() > kTonalShare || chroma.tuning().concentration() > kTunedConcentration;
  }

  static std::vector<KeyCandidate> rank(const std::array<double, kKeys>& probability) {
    std::array<std::size_t, kKeys> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return probability[a] > probability[b]; });
    std::vector<KeyCandidate> candidates;
    for (const std::size_t k : std::span(order).first(kCandidates))
      candidates.push_back({static_cast<int>(k % kPitchClasses), k >= kPitchClasses, probability[k]});
    return candidates;
  }

  KeyBlocks blocks_;
  KeyNetwork network_;
  std::size_t samples_ = 0;
};

KeyDetector::KeyDetector() : impl_(std::make_unique<Impl>()) {}
KeyDetector::~KeyDetector() = default;
void KeyDetector::push(std::span<const float> mono) {
  impl_->push(mono);
}
Key KeyDetector::finish(CancelToken cancel) {
  return impl_->finish(cancel);
}

}  // namespace tonearm
