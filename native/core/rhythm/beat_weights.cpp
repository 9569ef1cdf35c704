#include "core/rhythm/beat_weights.hpp"

// TONEARM_MODELS_DIR is defined by both builds. The assembler copies the file as it is: no generated source,
// no path to find at run time, one copy in memory however many threads use it.
asm(R"(
  .section .rodata
  .balign 16
  .globl tonearmBeatWeights
  .globl tonearmBeatWeightsEnd
  .hidden tonearmBeatWeights
  .hidden tonearmBeatWeightsEnd
tonearmBeatWeights:
  .incbin ")" TONEARM_MODELS_DIR R"(/beats/beats.bin"
tonearmBeatWeightsEnd:
  .byte 0
  .previous
)");

extern "C" {
extern const std::uint8_t tonearmBeatWeights[];
extern const std::uint8_t tonearmBeatWeightsEnd[];
}

namespace tonearm {

std::span<const std::uint8_t> shippedBeatWeights() noexcept {
  return {tonearmBeatWeights, tonearmBeatWeightsEnd};
}

}  // namespace tonearm
