#include "binding/analyze.hpp"

#include <set>
#include <string>

#include "binding/convert.hpp"
#include "binding/guard.hpp"

namespace tonearm::binding {
namespace {

double numberOr(const Napi::Object& options, const char* name, double fallback) {
  const Napi::Value value = options.Get(name);
  if (value.IsUndefined()) return fallback;
  if (!value.IsNumber()) throw Error(ErrorCode::invalidParameter, std::string(name) + " must be a number.");
  return value.As<Napi::Number>().DoubleValue();
}

std::set<std::string> requestedAnalyses(const Napi::Object& options) {
  const Napi::Value list = options.Get("analyses");
  if (!list.IsArray()) throw Error(ErrorCode::invalidParameter, "analyses must be an array of names.");
  static const std::set<std::string> known = {"tempo", "beatgrid", "key", "loudness"};
  std::set<std::string> names;
  const Napi::Array array = list.As<Napi::Array>();
  for (std::uint32_t i = 0; i < array.Length(); ++i) {
    const std::string name = array.Get(i).ToString();
    if (!known.contains(name)) {
      throw Error(ErrorCode::invalidParameter,
                  "Unknown analysis '" + name + "'; expected tempo, beatgrid, key or loudness.");
    }
    names.insert(name);
  }
  return names;
}

CancelToken cancelToken(const Napi::Object& options) {
  const Napi::Value value = options.Get("cancel");
  if (value.IsUndefined()) return {};
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_int32_array ||
      value.As<Napi::TypedArray>().ElementLength() < 1) {
    throw Error(ErrorCode::invalidParameter, "cancel must be an Int32Array of at least one element.");
  }
  return CancelToken(value.As<Napi::Int32Array>().Data());
}

}  // namespace

Napi::Value analyze(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const bool isBytes =
        info[0].IsTypedArray() && info[0].As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array;
    if (!isBytes && !info[0].IsString()) {
      throw Error(ErrorCode::invalidParameter,
                  "The first argument must be a Uint8Array holding an audio file, or the path of one.");
    }
    if (!info[1].IsObject()) {
      throw Error(ErrorCode::invalidParameter, "The second argument must be an object of options.");
    }
    const auto options = info[1].As<Napi::Object>();
    const std::set<std::string> names = requestedAnalyses(options);

    AnalysisRequest request;
    request.rhythm = names.contains("tempo") || names.contains("beatgrid");
    request.key = names.contains("key");
    request.loudness = names.contains("loudness");
    request.loudnessTimeline = options.Get("timeline").ToBoolean();
    request.minDurationS = numberOr(options, "minDurationS", request.minDurationS);
    request.maxDurationS = numberOr(options, "maxDurationS", request.maxDurationS);

    const CancelToken cancel = cancelToken(options);
    Analysis analysis;
    if (isBytes) {
      const auto bytes = info[0].As<Napi::Uint8Array>();
      analysis = tonearm::analyze(std::span(bytes.Data(), bytes.ByteLength()), request, cancel);
    } else {
      analysis = tonearm::analyze(MappedFile(info[0].As<Napi::String>().Utf8Value()), request, cancel);
    }

    Napi::Object out = Napi::Object::New(env);
    out.Set("audio", audioObject(env, analysis));
    if (names.contains("tempo")) out.Set("tempo", tempoObject(env, *analysis.rhythm));
    if (names.contains("beatgrid")) out.Set("beatgrid", beatgridObject(env, *analysis.rhythm));
    if (names.contains("key")) out.Set("key", keyObject(env, *analysis.key));
    if (names.contains("loudness")) out.Set("loudness", loudnessObject(env, analysis));
    return out;
  });
}

}  // namespace tonearm::binding
