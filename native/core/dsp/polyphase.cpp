#include "core/dsp/polyphase.hpp"

#include <algorithm>
#include <numeric>

#include "core/dsp/kaiser.hpp"

namespace tonearm {

namespace {

constexpr std::uint64_t kMaxPhases = 512;
constexpr std::size_t kTapGranule = 16;  // the widest vector

}  // namespace

Polyphase::Polyphase(int fromHz, int toHz, const simd::Kernels& kernels) : kernels_(kernels) {
  const int divisor = std::gcd(fromHz, toHz);
  filter_.up = static_cast<std::uint64_t>(toHz / divisor);
  filter_.down = static_cast<std::uint64_t>(fromHz / divisor);
  filter_.phases = std::min(filter_.up, kMaxPhases);
  const double cutoff = 0.5 * std::min(1.0, static_cast<double>(toHz) / fromHz);
  const KaiserLowPass response = KaiserLowPass::design(cutoff, 0.2 * cutoff, 83);
  // An even number of taps, half before the output's place and half after.
  filter_.taps =
      (2 * static_cast<std::size_t>(response.halfLength) + kTapGranule - 1) / kTapGranule * kTapGranule;
  const double before = static_cast<double>(filter_.taps / 2 - 1);
  std::vector<double> row(filter_.taps);
  for (std::uint64_t phase = 0; phase <= filter_.phases; ++phase) {
    const double place = static_cast<double>(phase) / static_cast<double>(filter_.phases);
    for (std::size_t t = 0; t < row.size(); ++t) row[t] = response(static_cast<double>(t) - before - place);
    const double total =
        std::accumulate(row.begin(), row.end(), 0.0);  // each row passes a constant unchanged
    for (const double tap : row) bank_.push_back(static_cast<float>(tap / total));
  }
  filter_.bank = bank_.data();
  pending_.assign(filter_.taps / 2 - 1, 0.0F);
}

void Polyphase::emit(std::uint64_t limit, std::vector<float>& out) {
  std::uint64_t count = 0;
  if (pending_.size() >= filter_.taps) {
    const std::uint64_t places = (pending_.size() - filter_.taps + 1) * filter_.up;  // outputs lie below this
    if (position_ < places) count = (places - position_ + filter_.down - 1) / filter_.down;
  }
  count = std::min(count, limit - emitted_);
  out.resize(count);
  kernels_.polyphase(filter_, pending_.data(), position_, out.data(), count);
  emitted_ += count;
  position_ += count * filter_.down;
  const std::uint64_t done = std::min<std::uint64_t>(position_ / filter_.up, pending_.size());
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
  position_ -= done * filter_.up;
}

void Polyphase::push(std::span<const float> in, std::vector<float>& out) {
  pending_.insert(pending_.end(), in.begin(), in.end());
  received_ += in.size();
  emit(~std::uint64_t{0}, out);
}

void Polyphase::finish(std::vector<float>& out) {
  pending_.resize(pending_.size() + filter_.taps, 0.0F);
  emit((received_ * filter_.up + filter_.down - 1) / filter_.down, out);
}

}  // namespace tonearm
