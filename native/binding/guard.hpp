#pragma once

#include <napi.h>

#include <new>

#include "core/support/error.hpp"

namespace tonearm::binding {

// Runs `body` and turns whatever the core throws into a JavaScript Error with a `code`. Messages of
// exceptions that are not ours are withheld: they may name internals.
template <typename Body>
Napi::Value guarded(Napi::Env env, Body body) {
  const auto fail = [&](const char* code, const char* message) -> Napi::Value {
    Napi::Error error = Napi::Error::New(env, message);
    error.Set("code", code);
    error.ThrowAsJavaScriptException();
    return env.Undefined();
  };
  try {
    return body();
  } catch (const tonearm::Error& error) {
    return fail(codeName(error.code()), error.what());
  } catch (const Napi::Error&) {
    throw;  // a JavaScript exception already, raised by a getter or a conversion
  } catch (const std::bad_alloc&) {
    return fail(codeName(ErrorCode::internalError), "The engine ran out of memory.");
  } catch (...) {
    return fail(codeName(ErrorCode::internalError), "The engine failed unexpectedly.");
  }
}

}  // namespace tonearm::binding
