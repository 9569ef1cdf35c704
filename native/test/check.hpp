#pragma once

#include <string>

// A test framework in forty lines: TEST("a sentence") { CHECK(…); } in any *_test.cpp; main lives in
// check.cpp.
namespace check {

void add(const char* name, void (*body)());
void fail(const char* file, int line, const std::string& what);

struct Registrar {
  Registrar(const char* name, void (*body)()) { add(name, body); }
};

}  // namespace check

#define CHECK_JOIN2(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN2(a, b)
#define TEST(name)                                                                               \
  static void CHECK_JOIN(testBody, __LINE__)();                                                  \
  static check::Registrar CHECK_JOIN(testEntry, __LINE__)(name, CHECK_JOIN(testBody, __LINE__)); \
  static void CHECK_JOIN(testBody, __LINE__)()

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) check::fail(__FILE__, __LINE__, "expected " #condition); \
  } while (0)

#define CHECK_NEAR(actual, expected, tolerance)                                                              \
  do {                                                                                                       \
    const double checkA = static_cast<double>(actual), checkE = static_cast<double>(expected);               \
    if (!(checkA >= checkE - (tolerance) && checkA <= checkE + (tolerance)))                                 \
      check::fail(__FILE__, __LINE__,                                                                        \
                  #actual " is " + std::to_string(checkA) + ", expected " + std::to_string(checkE) + " ± " + \
                      std::to_string(static_cast<double>(tolerance)));                                       \
  } while (0)

// The body must throw tonearm::Error with this code.
#define CHECK_THROWS(expectedCode, ...)                                                           \
  do {                                                                                            \
    bool checkThrown = false;                                                                     \
    try {                                                                                         \
      __VA_ARGS__;                                                                                \
    } catch (const tonearm::Error& error) {                                                       \
      checkThrown = error.code() == (expectedCode);                                               \
      if (!checkThrown)                                                                           \
        check::fail(__FILE__, __LINE__, std::string("threw ") + tonearm::codeName(error.code())); \
    }                                                                                             \
    if (!checkThrown) check::fail(__FILE__, __LINE__, "expected an Error from " #__VA_ARGS__);    \
  } while (0)
