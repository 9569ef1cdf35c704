#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// The trained numbers of KeyNetwork, as models/training/key/train.py wrote them.
namespace tonearm::key_weights {

// A circular convolution over pitch classes: weights[output][input][12], in steps of `scale`.
struct Layer {
  std::span<const std::int8_t> weights;
  float scale;
  std::span<const float> bias;  // one an output
};

extern const Layer chords, progressions, hidden, scores;

// Divides the scores before the softmax, so that probabilities come true (Guo et al., 2017).
extern const float kTemperature;

}  // namespace tonearm::key_weights
