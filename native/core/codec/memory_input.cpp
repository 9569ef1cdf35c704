#include "core/codec/memory_input.hpp"

#include <algorithm>
#include <cstring>

namespace tonearm {

namespace {
constexpr int kBufferBytes = 32 * 1024;
}

MemoryInput::MemoryInput(std::span<const std::uint8_t> bytes, CancelToken cancel)
    : bytes_(bytes), cancel_(cancel) {
  auto* buffer = static_cast<unsigned char*>(libav::allocated(av_malloc(kBufferBytes)));
  io_.reset(
      avio_alloc_context(buffer, kBufferBytes, 0, this, &MemoryInput::read, nullptr, &MemoryInput::seek));
  if (!io_) {
    av_free(buffer);
    libav::throwOutOfMemory();
  }
}

int MemoryInput::read(void* self, std::uint8_t* buffer, int size) {
  auto& input = *static_cast<MemoryInput*>(self);
  if (input.cancel_.requested()) return AVERROR_EXIT;
  const auto left = static_cast<std::int64_t>(input.bytes_.size()) - input.position_;
  if (left <= 0 || size <= 0) return AVERROR_EOF;
  const int count = static_cast<int>(std::min<std::int64_t>(left, size));
  std::memcpy(buffer, input.bytes_.data() + input.position_, static_cast<std::size_t>(count));
  input.position_ += count;
  return count;
}

std::int64_t MemoryInput::seek(void* self, std::int64_t offset, int whence) {
  auto& input = *static_cast<MemoryInput*>(self);
  const auto size = static_cast<std::int64_t>(input.bytes_.size());
  std::int64_t from = 0;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return size;
    case SEEK_SET:
      break;
    case SEEK_CUR:
      from = input.position_;
      break;
    case SEEK_END:
      from = size;
      break;
    default:
      return AVERROR(EINVAL);
  }
  // Compared this way round because `offset` comes from the file and may be anything.
  if (offset < -from || offset > size - from) return AVERROR(EINVAL);
  return input.position_ = from + offset;
}

}  // namespace tonearm
