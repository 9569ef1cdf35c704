#include "core/tonal/key_blocks.hpp"

namespace tonearm {

KeyBlocks::KeyBlocks() : chroma_([this](const ChromaFrame& frame) { take(frame); }) {}

void KeyBlocks::take(const ChromaFrame& frame) {
  for (std::size_t r = 0; r < kRegisters; ++r)
    for (std::size_t bin = 0; bin < kFineBins; ++bin) sum_[r][bin] += frame[r][bin];
  if (++framesInSum_ < kFramesPerBlock) return;
  blocks_.push_back(sum_);
  sum_ = {};
  framesInSum_ = 0;
}

void KeyBlocks::finish() {
  chroma_.finish();
  if (framesInSum_ > 0) blocks_.push_back(sum_);
  framesInSum_ = 0;
}

std::vector<KeyBlocks::Block> KeyBlocks::tuned() const {
  const double cents = chroma_.tuning().cents();
  std::vector<Block> blocks(blocks_.size());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t r = 0; r < kRegisters; ++r) blocks[i][r] = foldToPitchClasses(blocks_[i][r], cents);
  return blocks;
}

}  // namespace tonearm
