// The table for AArch64's Advanced SIMD (NEON).
#define TONEARM_KERNELS neonKernels
#define TONEARM_NAME "neon"
#define TONEARM_LANES 4
#include "core/simd/kernel_file.inl"
