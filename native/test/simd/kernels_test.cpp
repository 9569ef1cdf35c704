#include "core/simd/kernels.hpp"

#include <cstdlib>
#include <cstring>

#include "check.hpp"
#include "core/support/error.hpp"
#include "signals.hpp"

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

TEST("mixing and deinterleaving are their definitions at every length") {
  const std::vector<float> a = signals::noise(71, 1), b = signals::noise(71, 2), c = signals::noise(71, 3);
  const float* const channels[3] = {a.data(), b.data(), c.data()};
  for (const simd::Kernels* table : simd::kernelTables())
    for (std::size_t count = 0; count <= 35; ++count) {
      std::vector<float> mixed(count), even(count), odd(count);
      table->mix(channels, 3, 0.25F, mixed.data(), count);
      table->deinterleave(a.data(), even.data(), odd.data(), count);
      for (std::size_t n = 0; n < count; ++n) {
        CHECK(mixed[n] == (a[n] + b[n] + c[n]) * 0.25F);
        CHECK(even[n] == a[2 * n] && odd[n] == a[2 * n + 1]);
      }
    }
}
