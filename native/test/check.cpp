#include "check.hpp"

#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

namespace {

std::vector<std::pair<const char*, void (*)()>>& tests() {
  static std::vector<std::pair<const char*, void (*)()>> list;
  return list;
}
int failures = 0;

}  // namespace

void check::add(const char* name, void (*body)()) {
  tests().emplace_back(name, body);
}

void check::fail(const char* file, int line, const std::string& what) {
  ++failures;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
}

int main() {
  int failed = 0;
  for (const auto& [name, body] : tests()) {
    failures = 0;
    try {
      body();
    } catch (const std::exception& error) {
      check::fail(name, 0, std::string("threw: ") + error.what());
    }
    std::printf("%s - %s\n", failures == 0 ? "ok" : "not ok", name);
    failed += failures != 0;
  }
  std::printf("%zu passed, %d failed\n", tests().size() - static_cast<std::size_t>(failed), failed);
  return tests().empty() || failed != 0;
}
