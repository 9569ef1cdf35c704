#include "binding/info.hpp"

#include "binding/guard.hpp"
#include "core/codec/libraries.hpp"
#include "core/simd/kernels.hpp"

namespace tonearm::binding {

Napi::Value info(const Napi::CallbackInfo& callback) {
  const Napi::Env env = callback.Env();
  return guarded(env, [&]() -> Napi::Value {
    Napi::Object out = Napi::Object::New(env);
    out.Set("simd", simd::kernels().name);
    Napi::Array available = Napi::Array::New(env);
    for (const simd::Kernels* table : simd::kernelTables()) available.Set(available.Length(), table->name);
    out.Set("simdAvailable", available);
    Napi::Object ffmpeg = Napi::Object::New(env);
    for (const auto& [name, version] : codecLibraries()) ffmpeg.Set(name, version);
    out.Set("ffmpeg", ffmpeg);
    return out;
  });
}

}  // namespace tonearm::binding
