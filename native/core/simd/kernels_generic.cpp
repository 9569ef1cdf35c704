// The table for every CPU: vectors of four floats, which baseline x86-64 (SSE2) and AArch64 have.
#define TONEARM_KERNELS genericKernels
#define TONEARM_NAME "generic"
#define TONEARM_LANES 4
#include "core/simd/kernel_file.inl"
