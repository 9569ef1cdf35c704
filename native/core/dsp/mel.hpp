#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/simd/kernels.hpp"
#include "core/support/aligned.hpp"

namespace tonearm {

// The two usual mel scales, each with its usual height of the triangles.
enum class MelScale : std::uint8_t {
  // M. Slaney, "Auditory Toolbox", 1998: linear below 1 kHz with 3 mel in 200 Hz, then 27 mel for each factor
  // of 6.4. Weights sum to 1, so a band reads the weighted mean magnitude.
  slaney,
  // S. Young et al., "The HTK Book": 2595 · log10(1 + f / 700 Hz). Triangles are 1 at their top, so a band
  // reads a sum of magnitudes.
  htk,
};

// Mel filter bank over rows of STFT magnitudes. Band b is a triangle over mel points b, b + 1 and b + 2 of
// bands + 2 points evenly spaced from fMinHz to fMaxHz, linear in Hz. A triangle too narrow to hold any bin
// takes the bin nearest to its top.
class MelFilterbank {
 public:
  // `fftSize` is the STFT's window size (its rows hold fftSize / 2 + 1 values). Throws
  // Error{invalidParameter} unless 0 ≤ fMinHz < fMaxHz ≤ sampleRateHz / 2, bands ≥ 1 and fftSize is a power
  // of two from 256 to 16384.
  MelFilterbank(double sampleRateHz, std::size_t fftSize, std::size_t bands, double fMinHz, double fMaxHz,
                MelScale scale = MelScale::slaney, const simd::Kernels& kernels = simd::kernels());
  MelFilterbank(MelFilterbank&&) = default;  // the tables point at each other, so there is no copy
  std::size_t bands() const noexcept { return view_.bands; }
  // `magnitudes`: `frames` rows of fftSize / 2 + 1 values; `out`: `frames` rows of bands() values.
  void apply(std::span<const float> magnitudes, std::size_t frames, std::span<float> out) const;

 private:
  const simd::Kernels& kernels_;
  std::size_t bins_;
  std::vector<std::uint32_t> first_, count_;
  AlignedFloats weights_;
  std::vector<const float*> rows_;
  simd::SparseBands view_;
};

// y[n] = ln(1 + gain · x[n]) for gain · x[n] ≥ 0, with a relative error below 1e-6. `x` and `y` may be the
// same.
void logOnePlus(std::span<const float> x, float gain, std::span<float> y,
                const simd::Kernels& kernels = simd::kernels());

}  // namespace tonearm
