#pragma once

#include <string>

#include "core/codec/libav.hpp"

namespace tonearm {

// The allow-list of decoders: FFmpeg's own for each codec, null for any other codec.
const AVCodec* allowedDecoder(AVCodecID codec);

// The same list as libavformat wants it (names joined by commas), so that probing cannot open any other
// either.
const std::string& allowedDecoderNames();

// Whether every bit of the signal survives in this codec, so that a missing sample is damage.
bool isLossless(AVCodecID codec);

}  // namespace tonearm
