#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tonearm {

// A file's bytes, mapped read-only, so that a file larger than memory can be read like one in it. The file
// must not be made shorter while it is mapped: reading past its new end kills the process, as with every
// mapping.
class MappedFile {
 public:
  // Throws Error{invalidParameter} when there is no readable regular file at `path`.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::uint8_t> bytes() const noexcept { return bytes_; }
  // Gives the pages read so far back to the system, so that the process stays small; they are read again when
  // needed.
  void forget() const noexcept;

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace tonearm
