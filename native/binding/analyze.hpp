#pragma once

#include <napi.h>

namespace tonearm::binding {

// analyze(source: Uint8Array | path, {analyses, timeline?, minDurationS?, maxDurationS?, cancel?}) → result
// object. Runs on the calling thread. Throws a JavaScript Error whose `code` is one of the core's wire names.
Napi::Value analyze(const Napi::CallbackInfo& info);

}  // namespace tonearm::binding
