#include "core/dsp/analysis_signal.hpp"

#include <vector>

#include "core/dsp/resampler.hpp"

namespace tonearm {

class AnalysisSignal::Impl {
 public:
  Impl(const StreamFormat& format, Consumer consume)
      : consume_(std::move(consume)),
        resampler_(format.sampleRateHz, kAnalysisRateHz, 1,
                   [this](std::span<const float* const> channels, std::size_t frames) {
                     consume_({channels[0], frames});
                   }) {
    for (std::size_t c = 0; c < format.channels.size(); ++c)
      if (format.channels[c] != ChannelRole::lowFrequency) mixed_.push_back(c);
    // A stream of nothing but low-frequency channels is still heard.
    if (mixed_.empty())
      for (std::size_t c = 0; c < format.channels.size(); ++c) mixed_.push_back(c);
  }

  void push(const Block& block) {
    const float* mono = block.channels[mixed_[0]];
    if (mixed_.size() > 1) {
      const float share = 1.0F / static_cast<float>(mixed_.size());
      mono_.assign(block.frames, 0.0F);
      for (const std::size_t c : mixed_)
        for (std::size_t n = 0; n < block.frames; ++n) mono_[n] += block.channels[c][n] * share;
      mono = mono_.data();
    }
    resampler_.push({&mono, 1}, block.frames);
  }

  void finish() { resampler_.finish(); }

 private:
  Consumer consume_;
  Resampler resampler_;
  std::vector<std::size_t> mixed_;
  std::vector<float> mono_;
};

AnalysisSignal::AnalysisSignal(const StreamFormat& format, Consumer consume)
    : impl_(std::make_unique<Impl>(format, std::move(consume))) {}
AnalysisSignal::~AnalysisSignal() = default;
void AnalysisSignal::push(const Block& block) {
  impl_->push(block);
}
void AnalysisSignal::finish() {
  impl_->finish();
}

}  // namespace tonearm
