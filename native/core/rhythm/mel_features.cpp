#include "core/rhythm/mel_features.hpp"

#include <vector>

#include "core/dsp/mel.hpp"
#include "core/dsp/stft.hpp"
#include "core/support/audio.hpp"

namespace tonearm {

namespace {

constexpr double kLowestHz = 30;
constexpr double kHighestHz = 10500;
constexpr float kCompression = 1000;

}  // namespace

class MelFeatures::Impl {
 public:
  explicit Impl(Consumer consume)
      : consume_(std::move(consume)),
        bank_(kAnalysisRateHz, kWindow, kBands, kLowestHz, kHighestHz, MelScale::htk),
        stft_({kWindow, kHop, true}, [this](std::span<const float> magnitudes, std::size_t frames) {
          compress(magnitudes, frames);
        }) {}

  void push(std::span<const float> mono) { stft_.push(mono); }
  void finish() { stft_.finish(); }

 private:
  void compress(std::span<const float> magnitudes, std::size_t frames) {
    features_.resize(frames * kBands);
    bank_.apply(magnitudes, frames, features_);
    logOnePlus(features_, kCompression, features_);
    consume_(features_, frames);
  }

  Consumer consume_;
  MelFilterbank bank_;
  Stft stft_;
  std::vector<float> features_;
};

MelFeatures::MelFeatures(Consumer consume) : impl_(std::make_unique<Impl>(std::move(consume))) {}
MelFeatures::~MelFeatures() = default;
void MelFeatures::push(std::span<const float> mono) {
  impl_->push(mono);
}
void MelFeatures::finish() {
  impl_->finish();
}

}  // namespace tonearm
