#pragma once

#include <cstddef>
#include <cstdint>

#include "core/simd/loudness_kernels.hpp"

// The inner loops of the engine, compiled once an instruction set and chosen when first used (see README.md
// here). This header is included by the kernel files, which are compiled with instructions the CPU may lack:
// it must define no function and include nothing that does.
namespace tonearm::simd {

// Tables of a windowed real Fourier transform of 2·rows·columns samples (made by core/dsp/stft_tables.hpp),
// taken apart as in D. H. Bailey, "FFTs in external or hierarchical memory", 1990: the half-size complex
// transform of rows × columns points is one of `rows` points down each column, a twist, and one of `columns`
// points along each row. Complex numbers are pairs (re, im).
struct StftTables {
  std::size_t rows, columns;  // powers of two, 8–128; columns = rows or 2·rows
  const float* window;        // 2·rows·columns factors, which carry the scale, too
  const float* columnRoots;   // [rows/4][3]: e^(−2πi·p·j/rows), j = 1…3
  const float* twists;        // [columns][rows]: e^(−2πi·row·column/(rows·columns))
  const float* rowRoots;      // [4][columns/4 − 1]: e^(−2πi·p·j/columns), j = 1…
  const float* splitRoots;  // [rows/2 + 1][columns]: e^(−2πi·k/(2·rows·columns)), k = row + rows·column
};

// Tables of a complex transform of `points` points, a power of two from 8 to 32768.
struct FftTables {
  std::size_t points;
  const float* roots;       // [points][2]: e^(−2πik/points) as (re, im)
  const float* firstRoots;  // [3][2][points/4]: e^(−2πi·p·j/points) for j = 1…3, all re, then all im
};

enum class Activation : std::uint8_t { none, relu, elu, sigmoid };

// Taps that make several rows from several others: out[o][t] = bias[o] + Σ_k weights[k][o] · rows[k][t].
struct ConvolutionTile {
  const float* const* rows;  // `taps` pointers, each readable for `frames` values
  std::size_t taps;
  // [block][tap][channel of the block]; blocks of convolutionBlock channels, then 4, 2, 1
  const float* weights;
  const float* bias;      // [outputs]
  float* const* outputs;  // `outputCount` pointers, each writable for `frames` values, apart from the rows
  std::size_t outputCount;
  std::size_t frames;
  Activation activation;
};

// Sparse rows of weights over the bins of a spectrum: band b is Σ weights[i] · x[first[b] + i] over
// `count[b]` bins.
struct SparseBands {
  std::size_t bands;
  const std::uint32_t* first;
  const std::uint32_t* count;   // multiples of the table's lanes; first + count stays inside the row
  const float* const* weights;  // `count[b]` values each
};

// A filter bank for a ratio of rates up / down: in each period of `up` outputs and `down` inputs, output m is
// Σ_t weights[g][t][m mod 8] · x[first[g] + t] over t < span, where g = m / 8.
struct RationalFilter {
  std::size_t up, down;
  std::size_t groups;          // ⌈up / 8⌉
  std::size_t span;            // inputs that a group of eight outputs needs
  const std::uint32_t* first;  // [groups]
  const float* weights;        // [groups][span][8]
};

// A filter bank for any ratio: output n lies n · down / up inputs after the first and takes `taps` inputs,
// weighted by the two rows nearest to its place between two inputs, interpolated.
struct InterpolatedFilter {
  const float* bank;  // [phases + 1][taps]; the last row is the first one an input later
  std::size_t taps;   // a multiple of 16
  std::uint64_t phases, up, down;
};

struct Kernels {
  const char* name;              // "generic", "avx2", "avx512", "neon"
  std::size_t lanes;             // floats in a vector: 4, 8 or 16
  std::size_t convolutionBlock;  // output channels computed at a time: 8 or 4

  // Magnitudes of `lanes` frames that start at signal[0], signal[hop], signal[2·hop]…; row-major,
  // rows·columns + 1 values a frame. `work` holds stftWorkSize(tables) floats, aligned to 64 bytes.
  void (*stft)(const StftTables& tables, const float* signal, std::size_t hop, float* work,
               float* magnitudes);
  std::size_t (*stftWorkSize)(const StftTables& tables);

  // The forward transform, without scale, of data[0 … points) + i · data[points … 2·points). The result lies
  // in `data` or in `work` (as large), and the pointer to it is returned.
  float* (*fft)(const FftTables& tables, float* data, float* work);

  // out[n] = share · Σ_c channels[c][n], added in the order of the channels.
  void (*mix)(const float* const* channels, std::size_t channelCount, float share, float* out,
              std::size_t count);
  // even[n] = x[2n] and odd[n] = x[2n + 1] for `pairs` pairs.
  void (*deinterleave)(const float* x, float* even, float* odd, std::size_t pairs);
  // out[n] = Σ_i coefficients[i] · (x[n + taps − 1 − i] + x[n + taps + i]) + center · middle[n], i < taps,
  // which is 8 or 24; `count` is a multiple of 32.
  void (*halfBand)(const float* coefficients, std::size_t taps, float center, const float* x,
                   const float* middle, float* out, std::size_t count);
  // `lanes` periods at once: lanes · up outputs from x[0 … (lanes − 1) · down + first[groups − 1] + span +
  // 3]. `work` holds rationalWorkSize(filter) floats, aligned to 64 bytes.
  void (*rational)(const RationalFilter& filter, const float* x, float* work, float* out);
  std::size_t (*rationalWorkSize)(const RationalFilter& filter);
  // out[n] is the filtered value at input place (position + n · down) / up.
  void (*interpolated)(const InterpolatedFilter& filter, const float* x, std::uint64_t position, float* out,
                       std::size_t count);

  // out[r][b] for `rows` rows of `stride` values each, `bands` results a row.
  void (*sparseBands)(const SparseBands& bands, const float* x, std::size_t stride, std::size_t rows,
                      float* out);

  // y[n] = ln(1 + gain·x[n]) for gain·x ≥ 0, relative error below 1e-6.
  void (*logOnePlus)(const float* x, float gain, float* y, std::size_t count);

  void (*convolve)(const ConvolutionTile& tile);
  void (*activate)(Activation activation, float* values, std::size_t count);

  LoudnessKernels loudness;
};

// The best table this CPU can run, or the one that the environment variable TONEARM_SIMD names
// (generic, avx2, avx512, neon). Throws Error{invalidParameter} when that is unknown or not usable here.
const Kernels& kernels();

// All tables this CPU can run, the plainest first.
struct KernelTables {
  const Kernels* tables[3];
  std::size_t count;
  const Kernels* const* begin() const;
  const Kernels* const* end() const;
};
KernelTables kernelTables();

// One a kernel file; to be called by kernels.cpp only, after it has asked the CPU.
const Kernels& genericKernels();
const Kernels& avx2Kernels();
const Kernels& avx512Kernels();
const Kernels& neonKernels();

}  // namespace tonearm::simd
