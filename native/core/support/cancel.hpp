#pragma once

#include <cstdint>

#include "core/support/error.hpp"

namespace tonearm {

// A flag somebody else raises (from JavaScript: element 0 of an Int32Array on a SharedArrayBuffer) and the
// core polls between blocks. The default token can never be raised.
class CancelToken {
 public:
  CancelToken() = default;
  // `flag` must outlive the token; any value but 0 means: stop.
  explicit CancelToken(const std::int32_t* flag) : flag_(flag) {}

  bool requested() const noexcept {
    return flag_ != nullptr && __atomic_load_n(flag_, __ATOMIC_RELAXED) != 0;
  }
  // Throws Error{canceled} once the flag is raised.
  void check() const {
    if (requested()) throw Error(ErrorCode::canceled, "The analysis was canceled.");
  }

 private:
  const std::int32_t* flag_ = nullptr;
};

}  // namespace tonearm
