#include "decode.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"

namespace fixture {

Decoded decode(std::span<const std::uint8_t> bytes, const tonearm::DecodeLimits& limits,
               tonearm::CancelToken cancel) {
  tonearm::Decoder decoder(bytes, limits, cancel);
  Decoded all{decoder.info(), Planar(decoder.info().format.channels.size())};
  for (tonearm::Block block = decoder.next(); block.frames > 0; block = decoder.next()) {
    CHECK(block.channels.size() == all.audio.size());
    CHECK(block.frames <= 8192);
    for (std::size_t c = 0; c < all.audio.size(); ++c)
      all.audio[c].insert(all.audio[c].end(), block.channels[c], block.channels[c] + block.frames);
  }
  CHECK(decoder.next().frames == 0);
  for (const auto& channel : all.audio)
    CHECK(std::all_of(channel.begin(), channel.end(), [](float x) { return std::isfinite(x); }));
  return all;
}

double rmsDifference(const std::vector<float>& decoded, const std::vector<float>& original) {
  const std::size_t count = std::min(decoded.size(), original.size());
  if (count == 0) return 0;
  double dd = 0, dx = 0, xx = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double d = decoded[i], x = original[i];
    dd += d * d;
    dx += d * x;
    xx += x * x;
  }
  // min over g of Σ(d − g·x)², g = Σdx/Σxx, but a wrong sign or a lost channel shall not pass for a gain.
  const double gain = xx > 0 ? std::clamp(dx / xx, 0.9, 1.1) : 1;
  return std::sqrt(std::max(0.0, dd - 2 * gain * dx + gain * gain * xx) / static_cast<double>(count));
}

}  // namespace fixture
