#include "core/dsp/analysis_signal.hpp"

#include <vector>

#include "core/dsp/resampler.hpp"

namespace tonearm {

class AnalysisSignal::Impl {
 public:
  Impl(const StreamFormat& format, Consumer consume, const simd::Kernels& kernels)
      : kernels_(kernels),
        consume_(std::move(consume)),
        resampler_(format.sampleRateHz, kAnalysisRateHz, 1,
                   [this](std::span<const float* const> channels, std::size_t frames) {
                     consume_({channels[0], frames});
                   }) {
    for (std::size_t c = 0; c < format.channels.size(); ++c)
      if (format.channels[c] != ChannelRole::lowFrequency) mixed_.push_back(c);
    // A stream of nothing but low-frequency channels is still heard.
    if (mixed_.empty())
      for (std::size_t c = 0; c < format.channels.size(); ++c) mixed_.push_back(c);
    pointers_.resize(mixed_.size());
  }

  void push(const Block& block) {
    const float* mono = block.channels[mixed_[0]];
    if (mixed_.size() > 1) {
      for (std::size_t i = 0; i < mixed_.size(); ++i) pointers_[i] = block.channels[mixed_[i]];
      mono_.resize(block.frames);
      kernels_.mix(pointers_.data(), pointers_.size(), 1.0F / static_cast<float>(mixed_.size()), mono_.data(),
                   block.frames);
      mono = mono_.data();
    }
    resampler_.push({&mono, 1}, block.frames);
  }

  void finish() { resampler_.finish(); }

 private:
  const simd::Kernels& kernels_;
  Consumer consume_;
  Resampler resampler_;
  std::vector<std::size_t> mixed_;
  std::vector<const float*> pointers_;
  std::vector<float> mono_;
};

AnalysisSignal::AnalysisSignal(const StreamFormat& format, Consumer consume, const simd::Kernels& kernels)
    : impl_(std::make_unique<Impl>(format, std::move(consume), kernels)) {}
AnalysisSignal::~AnalysisSignal() = default;
void AnalysisSignal::push(const Block& block) {
  impl_->push(block);
}
void AnalysisSignal::finish() {
  impl_->finish();
}

}  // namespace tonearm
