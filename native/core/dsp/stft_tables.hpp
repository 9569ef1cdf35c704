#pragma once

#include <cstddef>
#include <vector>

#include "core/simd/kernels.hpp"
#include "core/support/aligned.hpp"

namespace tonearm {

// Computes and owns the tables of the STFT kernel for one window: a periodic Hann window, scaled by
// 2/Σwindow.
class StftTables {
 public:
  explicit StftTables(std::size_t windowSize);  // a power of two from 256 to 16384
  const simd::StftTables& view() const { return view_; }

 private:
  AlignedFloats window_, columnRoots_, twists_, rowRoots_, splitRoots_;
  simd::StftTables view_;
};

}  // namespace tonearm
