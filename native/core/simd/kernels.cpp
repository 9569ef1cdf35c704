#include "core/simd/kernels.hpp"

#include <cstdlib>
#include <string>

#include "core/support/error.hpp"

namespace tonearm::simd {

const Kernels* const* KernelTables::begin() const {
  return tables;
}
const Kernels* const* KernelTables::end() const {
  return tables + count;
}

KernelTables kernelTables() {
  KernelTables usable{{&genericKernels()}, 1};
#if defined(__x86_64__)
  __builtin_cpu_init();  // cpuid and xgetbv: the operating system must save the registers, too
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    usable.tables[usable.count++] = &avx2Kernels();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
      usable.tables[usable.count++] = &avx512Kernels();
  }
#elif defined(__aarch64__)
  usable.tables[usable.count++] = &neonKernels();  // part of every AArch64 CPU
#endif
  return usable;
}

namespace {

const Kernels& choose() {
  const KernelTables usable = kernelTables();
  const char* wanted = std::getenv("TONEARM_SIMD");
  if (wanted == nullptr || *wanted == '\0') return *usable.tables[usable.count - 1];
  std::string names;
  for (const Kernels* table : usable) {
    if (std::string(wanted) == table->name) return *table;
    names += (names.empty() ? "" : ", ") + std::string(table->name);
  }
  throw Error(ErrorCode::invalidParameter, "TONEARM_SIMD is '" + std::string(wanted) +
                                               "', but this machine can run only: " + names +
                                               ". Unset it to have the best one chosen.");
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace tonearm::simd
