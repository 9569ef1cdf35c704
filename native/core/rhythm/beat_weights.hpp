#pragma once

#include <cstdint>
#include <span>

namespace tonearm {

// The weights of models/beats/beats.bin, which are linked into the program.
std::span<const std::uint8_t> shippedBeatWeights() noexcept;

}  // namespace tonearm
