#include "core/codec/libav.hpp"

#include "core/support/error.hpp"

extern "C" {
#include <libavutil/log.h>
}

namespace tonearm::libav {

namespace {

// The largest single block a well-formed file needs is an MP4's sample table: about 12 MiB for three hours of
// AAC.
constexpr std::size_t kMaxAllocationBytes = std::size_t{256} << 20;

void discardLog(void*, int, const char*, va_list) {}

}  // namespace

void setUp() {
  static const bool done = [] {
    av_log_set_callback(discardLog);
    av_max_alloc(kMaxAllocationBytes);
    return true;
  }();
  static_cast<void>(done);
}

void throwOutOfMemory() {
  throw Error(ErrorCode::internalError, "Out of memory while coding audio.");
}

}  // namespace tonearm::libav
