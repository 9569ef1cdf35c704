#pragma once

#include <napi.h>

namespace tonearm::binding {

// info() → {simd, simdAvailable, ffmpeg}: which kernels run here and which libraries decode.
Napi::Value info(const Napi::CallbackInfo& info);

}  // namespace tonearm::binding
