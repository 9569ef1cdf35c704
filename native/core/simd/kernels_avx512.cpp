// The table for AVX-512 (F, DQ, BW, VL).
#define TONEARM_KERNELS avx512Kernels
#define TONEARM_NAME "avx512"
#define TONEARM_LANES 16
#include "core/simd/kernel_file.inl"
