#pragma once

#include <cstddef>
#include <span>

namespace tonearm {

// The largest magnitude taken for audio: 2^32 full scales (+193 dBFS). Far above what any real file holds
// (32-bit integers written as floats stay below), and its square still has room to be summed in single
// precision.
inline constexpr float kMaxMagnitude = 4294967296.0f;

// Index of the first sample that is NaN, infinite or of magnitude kMaxMagnitude and more; the size when there
// is none.
std::size_t firstInvalidSample(std::span<const float> samples) noexcept;

}  // namespace tonearm
