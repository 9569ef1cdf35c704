#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/rhythm/activations.hpp"

namespace tonearm {

// The small convolutional network of models/beats, which hears beats and downbeats in rows of MelFeatures. A
// stream: the layers that look at single onsets run as rows come in; those that need context run over long
// pieces of what they leave, so memory stays bounded by the piece. Results depend neither on the pieces nor
// on how rows were pushed.
class BeatNetwork {
 public:
  // `weights`: the file of models/beats (see models/beats/README.md). Throws Error{internalError} when it is
  // damaged.
  explicit BeatNetwork(std::span<const std::uint8_t> weights);
  ~BeatNetwork();
  void push(std::span<const float> features, std::size_t frames);
  Activations finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
