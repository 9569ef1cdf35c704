// The table for AVX2 with FMA.
#define TONEARM_KERNELS avx2Kernels
#define TONEARM_NAME "avx2"
#define TONEARM_LANES 8
#include "core/simd/kernel_file.inl"
