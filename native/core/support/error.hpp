#pragma once

#include <stdexcept>
#include <string>

namespace tonearm {

// What can go wrong inside the engine. Each has exactly one wire name (`codeName`), which is the `code` of
// the service's error envelope.
enum class ErrorCode {
  unsupportedMediaType,  // the bytes are no audio format on the allow-list
  undecodableAudio,      // an allowed format, but damaged beyond use, or it holds no audio
  audioTooShort,         // shorter than the limit asked for
  audioTooLong,          // longer than the limit asked for
  invalidParameter,      // an option out of its range
  canceled,              // the caller raised its cancel flag
  internalError,         // a defect of ours
};

const char* codeName(ErrorCode code) noexcept;

// The only exception that leaves the core. `what()` says what was wrong, what was expected and what to do; it
// never holds a path or a pointer, so that it may be shown to a caller.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace tonearm
