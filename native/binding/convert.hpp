#pragma once

#include <napi.h>

#include <cmath>
#include <optional>

#include "core/pipeline/pipeline.hpp"

// Core results → the wire's result objects (snake_case, the tables of the API description). Numbers are
// rounded here, once: times to milliseconds, tempi and levels to hundredths, confidences to thousandths.
namespace tonearm::binding {

Napi::Object audioObject(Napi::Env env, const Analysis& analysis);
Napi::Object tempoObject(Napi::Env env, const Rhythm& rhythm);
Napi::Object beatgridObject(Napi::Env env, const Rhythm& rhythm);
Napi::Object keyObject(Napi::Env env, const Key& key);
Napi::Object loudnessObject(Napi::Env env, const Analysis& analysis);

inline double rounded(double value, double steps) {
  return std::round(value * steps) / steps;
}
inline double milliseconds(double seconds) {
  return rounded(seconds, 1000);
}
inline double hundredths(double value) {
  return rounded(value, 100);
}
inline double thousandths(double value) {
  return rounded(value, 1000);
}

// Collects why values are null; attached as `reasons` only when there are any.
class Reasons {
 public:
  explicit Reasons(Napi::Env env) : object_(Napi::Object::New(env)) {}
  void add(const char* field, const char* reason) {
    object_.Set(field, reason);
    any_ = true;
  }
  void attachTo(Napi::Object target) const {
    if (any_) target.Set("reasons", object_);
  }

 private:
  Napi::Object object_;
  bool any_ = false;
};

}  // namespace tonearm::binding
