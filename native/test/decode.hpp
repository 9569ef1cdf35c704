#pragma once

#include <cstdint>
#include <span>

#include "core/codec/decoder.hpp"
#include "encode.hpp"

namespace fixture {

struct Decoded {
  tonearm::AudioInfo info;
  Planar audio;
  std::size_t frames() const { return audio.empty() ? 0 : audio[0].size(); }
};

// The whole of a file at once, with every promise about blocks checked on the way.
Decoded decode(std::span<const std::uint8_t> bytes, const tonearm::DecodeLimits& limits = {},
               tonearm::CancelToken cancel = {});

// Root of the mean squared difference of one channel over the length of the shorter, at the gain that makes
// it least (LAME scales its input by 0.95 to 1).
double rmsDifference(const std::vector<float>& decoded, const std::vector<float>& original);

}  // namespace fixture
