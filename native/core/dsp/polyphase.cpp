#include "core/dsp/polyphase.hpp"

#include <algorithm>
#include <numeric>

#include "core/dsp/kaiser.hpp"
#include "core/support/aligned.hpp"

namespace tonearm {

namespace {

constexpr double kAttenuationDb = 83;
// Ratios up to these have a row for every place between two samples; others share kMaxPhases rows,
// interpolated.
constexpr std::uint64_t kMaxPhases = 512, kMaxDown = 4096;
constexpr std::size_t kGroup = 8;        // outputs that the rational kernel computes at once
constexpr std::size_t kTapGranule = 16;  // the widest vector

}  // namespace

// Computes outputs from the samples that begin with the first tap of the next one.
class Polyphase::Bank {
 public:
  Bank(std::uint64_t up, std::uint64_t down, const simd::Kernels& kernels)
      : up_(up),
        down_(down),
        kernels_(kernels),
        response_(design(0.5 * std::min(1.0, static_cast<double>(up) / static_cast<double>(down)))),
        taps_(2 * static_cast<std::size_t>(response_.halfLength())) {}
  virtual ~Bank() = default;
  // Appends to `out` what the samples allow, at most `limit` outputs, and says how many samples are done
  // with.
  virtual std::size_t run(std::span<const float> samples, std::uint64_t limit, std::vector<float>& out) = 0;
  // The sample at an output's place is this many after its first tap's, and finish() needs as many zeros as
  // this.
  std::size_t before() const { return taps_ / 2 - 1; }
  virtual std::size_t zeros() const { return taps_; }

 protected:
  static KaiserLowPass design(double cutoff) {
    return KaiserLowPass::design(cutoff, 0.2 * cutoff, kAttenuationDb);
  }

  // The taps for a place between two samples; each row passes a constant unchanged.
  std::vector<double> row(double place) const {
    std::vector<double> taps(taps_);
    for (std::size_t t = 0; t < taps_; ++t)
      taps[t] = response_(static_cast<double>(t) - static_cast<double>(before()) - place);
    const double total = std::accumulate(taps.begin(), taps.end(), 0.0);
    for (double& tap : taps) tap /= total;
    return taps;
  }

  std::uint64_t up_, down_;
  const simd::Kernels& kernels_;
  KaiserLowPass response_;
  std::size_t taps_;
};

namespace {

// Several whole periods of up outputs and down samples at a time.
class RationalBank : public Polyphase::Bank {
 public:
  RationalBank(std::uint64_t up, std::uint64_t down, const simd::Kernels& kernels) : Bank(up, down, kernels) {
    const std::size_t groups = (up + kGroup - 1) / kGroup;
    const std::size_t span = taps_ + (kGroup - 1) * down / up + 1;
    weights_.assign(groups * span * kGroup, 0.0F);
    for (std::size_t m = 0; m < up; ++m) {
      const std::size_t group = m / kGroup, index = m * down / up;
      if (m % kGroup == 0) first_.push_back(static_cast<std::uint32_t>(index));
      const std::vector<double> taps = row(static_cast<double>(m * down % up) / static_cast<double>(up));
      for (std::size_t t = 0; t < taps_; ++t)
        weights_[(group * span + index - first_[group] + t) * kGroup + m % kGroup] =
            static_cast<float>(taps[t]);
    }
    filter_ = {up, down, groups, span, first_.data(), weights_.data()};
    work_.resize(kernels.rationalWorkSize(filter_));
    batchSpan_ = (kernels.lanes - 1) * down + first_.back() + span + 3;
  }

  std::size_t run(std::span<const float> samples, std::uint64_t limit, std::vector<float>& out) override {
    std::size_t used = 0;
    for (; samples.size() >= used + batchSpan_ && limit > 0; used += kernels_.lanes * down_) {
      const std::size_t have = out.size(), batch = kernels_.lanes * up_;
      out.resize(have + batch);
      kernels_.rational(filter_, samples.data() + used, work_.data(), out.data() + have);
      out.resize(have + std::min<std::uint64_t>(batch, limit));
      limit -= std::min<std::uint64_t>(batch, limit);
    }
    return used;
  }

  // The last period needs not be a whole one, nor the last batch hold as many.
  std::size_t zeros() const override { return batchSpan_ + kernels_.lanes * down_; }

 private:
  std::vector<std::uint32_t> first_;
  AlignedFloats weights_, work_;
  simd::RationalFilter filter_;
  std::size_t batchSpan_;
};

// For ratios with very many places: rows between two of the bank's are interpolated, with an error of −106
// dB.
class InterpolatedBank : public Polyphase::Bank {
 public:
  InterpolatedBank(std::uint64_t up, std::uint64_t down, const simd::Kernels& kernels)
      : Bank(up, down, kernels) {
    const std::size_t padded = (taps_ + kTapGranule - 1) / kTapGranule * kTapGranule;
    for (std::uint64_t phase = 0; phase <= kMaxPhases; ++phase) {
      for (const double tap : row(static_cast<double>(phase) / static_cast<double>(kMaxPhases)))
        rows_.push_back(static_cast<float>(tap));
      rows_.resize((phase + 1) * padded, 0.0F);
    }
    filter_ = {rows_.data(), padded, kMaxPhases, up, down};
  }

  std::size_t run(std::span<const float> samples, std::uint64_t limit, std::vector<float>& out) override {
    if (samples.size() < filter_.taps) return 0;
    const std::uint64_t places = (samples.size() - filter_.taps + 1) * up_;  // outputs lie below this
    const std::uint64_t possible = position_ < places ? (places - position_ + down_ - 1) / down_ : 0;
    const std::size_t have = out.size(), count = std::min(possible, limit);
    out.resize(have + count);
    kernels_.interpolated(filter_, samples.data(), position_, out.data() + have, count);
    position_ += count * down_;
    const std::uint64_t used = std::min<std::uint64_t>(position_ / up_, samples.size());
    position_ -= used * up_;
    return used;
  }

  std::size_t zeros() const override { return filter_.taps; }

 private:
  AlignedFloats rows_;
  simd::InterpolatedFilter filter_;
  std::uint64_t position_ = 0;  // of the next output after the first sample, in samples / up
};

}  // namespace

Polyphase::Polyphase(int fromHz, int toHz, const simd::Kernels& kernels) {
  const int divisor = std::gcd(fromHz, toHz);
  up_ = static_cast<std::uint64_t>(toHz / divisor);
  down_ = static_cast<std::uint64_t>(fromHz / divisor);
  if (up_ <= kMaxPhases && down_ <= kMaxDown)
    bank_ = std::make_unique<RationalBank>(up_, down_, kernels);
  else
    bank_ = std::make_unique<InterpolatedBank>(up_, down_, kernels);
  pending_.assign(bank_->before(), 0.0F);
}
Polyphase::Polyphase(Polyphase&&) noexcept = default;
Polyphase::~Polyphase() = default;

void Polyphase::emit(std::uint64_t limit, std::vector<float>& out) {
  out.clear();
  const std::size_t used = bank_->run(pending_, limit - emitted_, out);
  pending_.erase(pending_.begin(),
                 pending_.begin() + static_cast<std::ptrdiff_t>(std::min(used, pending_.size())));
  emitted_ += out.size();
}

void Polyphase::push(std::span<const float> in, std::vector<float>& out) {
  pending_.insert(pending_.end(), in.begin(), in.end());
  received_ += in.size();
  emit(~std::uint64_t{0}, out);
}

void Polyphase::finish(std::vector<float>& out) {
  pending_.resize(pending_.size() + bank_->zeros(), 0.0F);
  emit((received_ * up_ + down_ - 1) / down_, out);
}

}  // namespace tonearm
