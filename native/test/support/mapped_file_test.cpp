#include "core/support/mapped_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "check.hpp"
#include "core/support/error.hpp"

using namespace tonearm;

namespace {

struct TemporaryFile {
  explicit TemporaryFile(const std::string& content) {
    const int file = ::mkstemp(path.data());
    std::FILE* stream = ::fdopen(file, "w");
    std::fwrite(content.data(), 1, content.size(), stream);
    std::fclose(stream);
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path = "/tmp/mapped_file_test_XXXXXX";
};

}  // namespace

TEST("a mapped file holds the file's bytes, also after they were forgotten") {
  const std::string content(100'000, 'x');
  const TemporaryFile file(content + "end");
  const MappedFile mapped(file.path);
  CHECK(mapped.bytes().size() == content.size() + 3);
  CHECK(mapped.bytes()[0] == 'x');
  mapped.forget();
  CHECK(mapped.bytes()[0] == 'x' && mapped.bytes().back() == 'd');
}

TEST("an empty file maps to no bytes") {
  const TemporaryFile file("");
  const MappedFile mapped(file.path);
  CHECK(mapped.bytes().empty());
  mapped.forget();
}

TEST("what is no readable file is refused") {
  CHECK_THROWS(ErrorCode::invalidParameter, MappedFile("/nowhere/at/all"));
  CHECK_THROWS(ErrorCode::invalidParameter, MappedFile("/tmp"));
}

TEST("a named pipe is refused, not waited for") {
  std::string path = "/tmp/mapped_file_test_XXXXXX";
  ::close(::mkstemp(path.data()));
  std::remove(path.c_str());
  CHECK(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_THROWS(ErrorCode::invalidParameter, MappedFile{path});
  std::remove(path.c_str());
}
