#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/support/cancel.hpp"
#include "core/tonal/key_blocks.hpp"
#include "core/tonal/key_weights.hpp"

namespace tonearm {

inline constexpr std::size_t kKeys = 24;  // C … B major, then C … B minor

// A small convolutional network from the blocks of a piece to the probabilities of the 24 keys. Every layer
// is a circular convolution over pitch classes, so that a transposed piece gives the same answer, transposed.
// It first recognises chords by their shapes, then moves between them over three blocks, takes means over the
// piece, its beginning and its end, and weighs those. See models/training/key for how it was trained.
class KeyNetwork {
 public:
  KeyNetwork();

  // Probabilities, summing to 1. `blocks` must not be empty. Throws Error{canceled}.
  std::array<double, kKeys> probabilities(std::span<const KeyBlocks::Block> blocks, CancelToken cancel) const;

 private:
  // One channel, its octave written twice so that a rotation is a plain offset; padded to whole SIMD vectors.
  static constexpr std::size_t kLanes = 16;
  using Channel = std::array<float, kPitchClasses + kLanes>;

  struct Layer {
    explicit Layer(const key_weights::Layer& table);
    std::size_t outputs, inputs;
    std::vector<float> weights;  // [output][input][12]
    std::span<const float> bias;
    // out[o][p] = bias[o] + Σ_i Σ_j weights[o][i][j] · in[i][(p + j) mod 12]
    void apply(std::span<const Channel> in, std::span<Channel> out, bool rectify) const;
  };

  Layer chords_, progressions_, hidden_, scores_;
};

}  // namespace tonearm
