#include <napi.h>

#include "binding/analyze.hpp"
#include "binding/info.hpp"

namespace {

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("analyze", Napi::Function::New(env, tonearm::binding::analyze, "analyze"));
  exports.Set("info", Napi::Function::New(env, tonearm::binding::info, "info"));
  return exports;
}

}  // namespace

NODE_API_MODULE(tonearm, init)
