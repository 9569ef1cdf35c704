#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tonearm {

// What a channel counts for. Loudness needs just these three (ITU-R BS.1770-5, table 4): `surround` are the
// positions at 60°–120° to either side (weight 1.41), `lowFrequency` is left out, all others weigh 1.
enum class ChannelRole : std::uint8_t { main, surround, lowFrequency };

struct StreamFormat {
  int sampleRateHz = 0;               // 8000–192000
  std::vector<ChannelRole> channels;  // 1–8, in the stream's own order
  int channelCount() const noexcept { return static_cast<int>(channels.size()); }
};

// A piece of decoded audio, planar; full scale is ±1.0, floats may exceed it and are always finite.
// Valid only during the call it is handed to.
struct Block {
  std::span<const float* const> channels;  // one pointer a channel, each to `frames` samples
  std::size_t frames = 0;
};

// The analysis signal: rhythm and tonality work on a mono mix (mean of all channels but the LFE) at this
// rate.
inline constexpr int kAnalysisRateHz = 22050;

}  // namespace tonearm
