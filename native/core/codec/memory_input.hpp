#pragma once

#include <cstdint>
#include <span>

#include "core/codec/libav.hpp"
#include "core/support/cancel.hpp"

namespace tonearm {

// Bytes in memory as a seekable libavformat input. Every read polls the cancel token, so that a demuxer which
// walks a huge index stops as soon as the flag is raised.
class MemoryInput {
 public:
  // `bytes` must outlive the input.
  MemoryInput(std::span<const std::uint8_t> bytes, CancelToken cancel);
  MemoryInput(const MemoryInput&) = delete;
  MemoryInput& operator=(const MemoryInput&) = delete;

  AVIOContext* io() noexcept { return io_.get(); }

 private:
  static int read(void* self, std::uint8_t* buffer, int size);
  static std::int64_t seek(void* self, std::int64_t offset, int whence);

  std::span<const std::uint8_t> bytes_;
  std::int64_t position_ = 0;
  CancelToken cancel_;
  libav::Io io_;
};

}  // namespace tonearm
