// libFuzzer target: any bytes give audio or an Error. See native/README.md for how to build and run it.
#include <cmath>
#include <cstdlib>

#include "core/codec/decoder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    tonearm::Decoder decoder({data, size}, tonearm::DecodeLimits{30});
    const auto channels = decoder.info().format.channels.size();
    for (auto block = decoder.next(); block.frames > 0; block = decoder.next()) {
      if (block.channels.size() != channels || block.frames > 8192) std::abort();
      for (const float* channel : block.channels)
        for (std::size_t i = 0; i < block.frames; ++i)
          if (!std::isfinite(channel[i])) std::abort();
    }
  } catch (const tonearm::Error& error) {
    if (error.code() == tonearm::ErrorCode::internalError) std::abort();
  }
  return 0;
}
