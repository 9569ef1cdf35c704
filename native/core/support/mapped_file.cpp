#include "core/support/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/support/error.hpp"

namespace tonearm {

MappedFile::MappedFile(const std::string& path) {
  // Without O_NONBLOCK, opening a named pipe would wait for somebody to write to it.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  const bool readable = file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  void* start = nullptr;
  const auto size = readable ? static_cast<std::size_t>(status.st_size) : 0;
  if (size > 0) start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (file >= 0) ::close(file);
  if (!readable || start == MAP_FAILED)
    throw Error(ErrorCode::invalidParameter,
                "The file could not be read. Name a regular file that may be read.");
  bytes_ = {static_cast<const std::uint8_t*>(start), size};
  if (size > 0) ::madvise(start, size, MADV_SEQUENTIAL);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

void MappedFile::forget() const noexcept {
  if (!bytes_.empty()) ::madvise(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

}  // namespace tonearm
