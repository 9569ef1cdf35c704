#include "core/support/error.hpp"

namespace tonearm {

const char* codeName(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::unsupportedMediaType:
      return "unsupported_media_type";
    case ErrorCode::undecodableAudio:
      return "undecodable_audio";
    case ErrorCode::audioTooShort:
      return "audio_too_short";
    case ErrorCode::audioTooLong:
      return "audio_too_long";
    case ErrorCode::invalidParameter:
      return "invalid_parameter";
    case ErrorCode::canceled:
      return "canceled";
    case ErrorCode::internalError:
      return "internal_error";
  }
  return "internal_error";
}

}  // namespace tonearm
