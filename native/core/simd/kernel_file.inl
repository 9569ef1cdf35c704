// The body of every kernels_<instruction set>.cpp. All kernels are in this anonymous namespace: the code made
// here with one instruction set can never be linked in place of another's (see README.md). No STL: its
// templates would be emitted here as functions that the linker shares between all files.
#include "core/simd/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace tonearm::simd {
namespace {

using std::size_t;

// Each needs those above it.
// clang-format off
#include "core/simd/vector.inl"
#include "core/simd/stft.inl"
#include "core/simd/fft.inl"
#include "core/simd/filters.inl"
#include "core/simd/elementary.inl"
#include "core/simd/sparse_bands.inl"
#include "core/simd/convolution.inl"
#include "core/simd/loudness.inl"
// clang-format on

constexpr Kernels kTable = {
    .name = TONEARM_NAME,
    .lanes = kLanes,
    .convolutionBlock = kConvolutionBlock,
    .stft = stft,
    .stftWorkSize = stftWorkSize,
    .fft = fft,
    .mix = mix,
    .deinterleave = deinterleave,
    .halfBand = halfBand,
    .rational = rational,
    .rationalWorkSize = rationalWorkSize,
    .interpolated = interpolated,
    .sparseBands = sparseBands,
    .logOnePlus = logOnePlus,
    .convolve = convolve,
    .activate = activate,
    .loudness = {endStates, weightedEnergies, chunkPeak, interpolatedPeak},
};

}  // namespace

const Kernels& TONEARM_KERNELS() {
  return kTable;
}

}  // namespace tonearm::simd
