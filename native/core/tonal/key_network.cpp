#include "core/tonal/key_network.hpp"

#include <algorithm>
#include <cmath>

namespace tonearm {
namespace {

// The beginning and the end of a piece: 9 seconds. Music likes to start and end at home.
constexpr std::size_t kEdgeBlocks = 12;
// Blocks much softer than the piece's mean count less, others alike.
constexpr float kSoftness = 0.25F;
constexpr float kInputScale = 3;

float sumOf(const KeyBlocks::Block& block) {
  float sum = 0;
  for (const PitchClassVector& chroma : block)
    for (const float value : chroma) sum += value;
  return sum;
}

}  // namespace

KeyNetwork::Layer::Layer(const key_weights::Layer& table)
    : outputs(table.bias.size()),
      inputs(table.weights.size() / (outputs * kPitchClasses)),
      weights(table.weights.size()),
      bias(table.bias) {
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = table.scale * static_cast<float>(table.weights[i]);
}

void KeyNetwork::Layer::apply(std::span<const Channel> in, std::span<Channel> out, bool rectify) const {
  for (std::size_t o = 0; o < outputs; ++o) {
    std::array<float, kLanes> sum;
    sum.fill(bias[o]);
    for (std::size_t i = 0; i < inputs; ++i) {
      const float* row = weights.data() + (o * inputs + i) * kPitchClasses;
      for (std::size_t j = 0; j < kPitchClasses; ++j)
        for (std::size_t p = 0; p < kLanes; ++p) sum[p] += row[j] * in[i][j + p];
    }
    if (rectify)
      for (float& value : sum) value = std::max(value, 0.0F);
    for (std::size_t p = 0; p < out[o].size(); ++p) out[o][p] = sum[p % kPitchClasses];
  }
}

KeyNetwork::KeyNetwork()
    : chords_(key_weights::chords),
      progressions_(key_weights::progressions),
      hidden_(key_weights::hidden),
      scores_(key_weights::scores) {}

std::array<double, kKeys> KeyNetwork::probabilities(std::span<const KeyBlocks::Block> blocks,
                                                    CancelToken cancel) const {
  const std::size_t count = blocks.size(), chordTypes = chords_.outputs, moves = progressions_.outputs;
  double total = 0;
  for (const KeyBlocks::Block& block : blocks) total += static_cast<double>(sumOf(block));
  const float floor = kSoftness * static_cast<float>(total / static_cast<double>(count)) + 1e-9F;

  // Pooled channels: the input, then the moves over the whole piece, its beginning and its end.
  std::vector<Channel> pooled(kRegisters + 3 * moves, Channel{});
  const std::size_t edge = std::min(kEdgeBlocks, count);
  const auto pool = [](Channel& into, const Channel& channel, std::size_t size) {
    for (std::size_t p = 0; p < channel.size(); ++p) into[p] += channel[p] / static_cast<float>(size);
  };

  // Chords of three blocks in a row, [chord type][earlier, this, later]; beyond the ends there is silence.
  std::vector<Channel> window(3 * chordTypes, Channel{}), input(kRegisters), chords(chordTypes),
      result(moves);
  for (std::size_t step = 0; step <= count; ++step) {
    cancel.check();
    for (std::size_t c = 0; c < chordTypes; ++c) {
      window[3 * c] = window[3 * c + 1];
      window[3 * c + 1] = window[3 * c + 2];
      window[3 * c + 2] = {};
    }
    if (step < count) {
      const float scale = kInputScale / (sumOf(blocks[step]) + floor);
      for (std::size_t r = 0; r < kRegisters; ++r) {
        for (std::size_t p = 0; p < input[r].size(); ++p)
          input[r][p] = blocks[step][r][p % kPitchClasses] * scale;
        pool(pooled[r], input[r], count);
      }
      chords_.apply(input, chords, true);
      for (std::size_t c = 0; c < chordTypes; ++c) window[3 * c + 2] = chords[c];
    }
    if (step == 0) continue;
    const std::size_t block = step - 1;
    progressions_.apply(window, result, true);
    for (std::size_t m = 0; m < moves; ++m) {
      pool(pooled[kRegisters + m], result[m], count);
      if (block < edge) pool(pooled[kRegisters + moves + m], result[m], edge);
      if (block >= count - edge) pool(pooled[kRegisters + 2 * moves + m], result[m], edge);
    }
  }

  std::vector<Channel> hidden(hidden_.outputs), scores(scores_.outputs);
  hidden_.apply(pooled, hidden, true);
  scores_.apply(hidden, scores, false);

  std::array<double, kKeys> probability{};
  double sum = 0, best = -1e30;
  for (std::size_t k = 0; k < kKeys; ++k) {
    probability[k] =
        static_cast<double>(scores[k / kPitchClasses][k % kPitchClasses] / key_weights::kTemperature);
    best = std::max(best, probability[k]);
  }
  for (double& p : probability) sum += p = std::exp(p - best);
  for (double& p : probability) p /= sum;
  return probability;
}

}  // namespace tonearm
