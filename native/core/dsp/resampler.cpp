#include "core/dsp/resampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "core/support/error.hpp"

namespace tonearm {

namespace {

// Modified Bessel function of the first kind, order 0, by its power series.
double besselI0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; term > 1e-18 * sum; ++k) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

}  // namespace

// Filter taps for `phases` positions between two input samples.
class Resampler::Impl {
 public:
  Impl(int fromHz, int toHz, std::size_t channels, Consumer consume)
      : consume_(std::move(consume)), pending_(channels) {
    const std::uint64_t divisor = static_cast<std::uint64_t>(std::gcd(fromHz, toHz));
    up_ = static_cast<std::uint64_t>(toHz) / divisor;
    down_ = static_cast<std::uint64_t>(fromHz) / divisor;
    phases_ = std::min<std::uint64_t>(up_, kMaxPhases);
    // Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974.
    constexpr double kAttenuationDb = 90;
    const double beta = 0.1102 * (kAttenuationDb - 8.7);
    const double cutoff = 0.5 * std::min(1.0, static_cast<double>(toHz) / fromHz);  // cycles a sample
    const double half = std::ceil((kAttenuationDb - 7.95) / (14.36 * 0.2 * cutoff) * 0.5);
    taps_ = 2 * static_cast<std::size_t>(half);
    bank_.resize((phases_ + 1) * taps_);
    for (std::size_t p = 0; p <= phases_; ++p) {
      std::vector<double> row(taps_);
      for (std::size_t t = 0; t < taps_; ++t) {
        const double x =
            static_cast<double>(t) - (half - 1) - static_cast<double>(p) / static_cast<double>(phases_);
        const double inside = 1 - (x / half) * (x / half);
        const double angle = 2 * std::numbers::pi * cutoff * x;
        row[t] = (x == 0 ? 1.0 : std::sin(angle) / angle) *
                 (inside > 0 ? besselI0(beta * std::sqrt(inside)) : 0.0);
      }
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      for (std::size_t t = 0; t < taps_; ++t) bank_[p * taps_ + t] = static_cast<float>(row[t] / sum);
    }
    for (auto& samples : pending_) samples.assign(taps_ / 2 - 1, 0.0F);
  }

  void push(std::span<const float* const> channels, std::size_t frames) {
    for (std::size_t c = 0; c < pending_.size(); ++c)
      pending_[c].insert(pending_[c].end(), channels[c], channels[c] + frames);
    received_ += frames;
    run(~std::uint64_t{0});
  }

  void finish() {
    const std::uint64_t total = (received_ * up_ + down_ - 1) / down_;
    for (auto& samples : pending_) samples.resize(samples.size() + taps_, 0.0F);
    run(total);
  }

 private:
  static constexpr std::uint64_t kMaxPhases = 512;

  void run(std::uint64_t total) {
    const std::size_t available = pending_[0].size();
    std::size_t count = 0;
    std::uint64_t position = position_;
    if (available >= taps_)
      for (; position / up_ <= available - taps_ && produced_ + count < total; position += down_) ++count;
    if (count == 0) return;
    output_.resize(pending_.size());
    std::vector<const float*> pointers;
    for (std::size_t c = 0; c < pending_.size(); ++c) {
      output_[c].resize(count);
      for (std::size_t n = 0; n < count; ++n)
        output_[c][n] = sample(pending_[c].data(), position_ + n * down_);
      pointers.push_back(output_[c].data());
    }
    produced_ += count;
    const std::size_t used = std::min(static_cast<std::size_t>(position / up_), available);
    for (auto& samples : pending_)
      samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(used));
    position_ = position - used * up_;
    consume_(pointers, count);
  }

  float sample(const float* input, std::uint64_t position) const {
    const float* x = input + position / up_;
    const std::uint64_t rest = position % up_ * phases_;
    const float* row = bank_.data() + rest / up_ * taps_;
    const float a = dot(row, x);
    if (rest % up_ == 0) return a;
    const float share = static_cast<float>(rest % up_) / static_cast<float>(up_);
    return a + share * (dot(row + taps_, x) - a);
  }

  float dot(const float* a, const float* b) const {
    float sums[8] = {};
    std::size_t t = 0;
    for (; t + 8 <= taps_; t += 8)
      for (std::size_t i = 0; i < 8; ++i) sums[i] += a[t + i] * b[t + i];
    for (; t < taps_; ++t) sums[0] += a[t] * b[t];
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  }

  Consumer consume_;
  std::uint64_t up_, down_, phases_, position_ = 0, received_ = 0, produced_ = 0;
  std::size_t taps_;
  std::vector<float> bank_;
  std::vector<std::vector<float>> pending_, output_;
};

Resampler::Resampler(int fromHz, int toHz, std::size_t channels, Consumer consume) {
  for (const int rate : {fromHz, toHz})
    if (rate < 1000 || rate > 768000)
      throw Error(ErrorCode::invalidParameter,
                  "The sample rate is " + std::to_string(rate) + " Hz, expected 1000 to 768000.");
  if (channels < 1 || channels > 64)
    throw Error(ErrorCode::invalidParameter,
                "The resampler was given " + std::to_string(channels) + " channels, expected 1 to 64.");
  impl_ = std::make_unique<Impl>(fromHz, toHz, channels, std::move(consume));
}
Resampler::~Resampler() = default;
void Resampler::push(std::span<const float* const> channels, std::size_t frames) {
  impl_->push(channels, frames);
}
void Resampler::finish() {
  impl_->finish();
}

}  // namespace tonearm
