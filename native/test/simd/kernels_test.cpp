#include "core/simd/kernels.hpp"

#include <cstdlib>
#include <cstring>

#include "check.hpp"
#include "core/support/error.hpp"

using namespace tonearm;

// One process chooses once, so the tests of the choice share it: a wrong name is refused and leaves nothing
// chosen, then a right one is taken.
TEST("an unknown table is refused by name, a known one is taken") {
  setenv("TONEARM_SIMD", "mmx", 1);
  CHECK_THROWS(ErrorCode::invalidParameter, simd::kernels());
  setenv("TONEARM_SIMD", "generic", 1);
  CHECK(std::strcmp(simd::kernels().name, "generic") == 0);
}

TEST("the plain table is always there and comes first, and lanes grow") {
  const simd::KernelTables tables = simd::kernelTables();
  CHECK(tables.count >= 1);
  CHECK(std::strcmp(tables.tables[0]->name, "generic") == 0);
  for (std::size_t i = 1; i < tables.count; ++i)
    CHECK(tables.tables[i]->lanes >= tables.tables[i - 1]->lanes);
}
