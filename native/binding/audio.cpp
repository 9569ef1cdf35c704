#include "binding/convert.hpp"

namespace tonearm::binding {

Napi::Object audioObject(Napi::Env env, const Analysis& analysis) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("duration_s", milliseconds(analysis.durationS));
  out.Set("sample_rate_hz", analysis.audio.format.sampleRateHz);
  out.Set("channels", analysis.audio.format.channelCount());
  out.Set("container", analysis.audio.container);
  out.Set("codec", analysis.audio.codec);
  return out;
}

}  // namespace tonearm::binding
