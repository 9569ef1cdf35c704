#include "core/codec/sample_check.hpp"

#include <bit>
#include <cstdint>

namespace tonearm {

namespace {

constexpr std::uint32_t kMagnitudeBits = 0x7FFFFFFF;
constexpr std::uint32_t kSignBit = 0x80000000;

// Ordered as integers, the magnitudes of IEEE floats rise to infinity and then NaN; adding this lifts all
// that are too large into the sign bit.
constexpr std::uint32_t kLift = kSignBit - std::bit_cast<std::uint32_t>(kMaxMagnitude);

std::uint32_t lifted(float sample) noexcept {
  return (std::bit_cast<std::uint32_t>(sample) & kMagnitudeBits) + kLift;
}

}  // namespace

std::size_t firstInvalidSample(std::span<const float> samples) noexcept {
  // One branch-free pass, which the compiler turns into vector code; the second search runs for damaged files
  // only.
  std::uint32_t any = 0;
  for (const float sample : samples) any |= lifted(sample);
  if ((any & kSignBit) == 0) return samples.size();
  std::size_t i = 0;
  while ((lifted(samples[i]) & kSignBit) == 0) ++i;
  return i;
}

}  // namespace tonearm
