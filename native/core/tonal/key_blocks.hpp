#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/tonal/chroma.hpp"

namespace tonearm {

// What the key is judged by: the chroma of each register, summed over blocks of four frames (0.74 s, shorter
// than most chords last). Keeps 720 bytes a block, 10 MB for three hours.
class KeyBlocks {
 public:
  static constexpr std::size_t kFramesPerBlock = 4;
  static constexpr double kBlockSeconds = kFramesPerBlock * ChromaStage::kHopSeconds;
  using Block = std::array<PitchClassVector, kRegisters>;

  KeyBlocks();
  void push(std::span<const float> mono) { chroma_.push(mono); }
  void finish();  // a last block that is not full is kept too

  // The blocks in semitones, with the piece's tuning taken out. After finish().
  std::vector<Block> tuned() const;
  const ChromaStage& chroma() const noexcept { return chroma_; }  // tuning and levels

 private:
  void take(const ChromaFrame& frame);

  std::vector<ChromaFrame> blocks_;
  ChromaFrame sum_{};
  std::size_t framesInSum_ = 0;
  ChromaStage chroma_;
};

}  // namespace tonearm
