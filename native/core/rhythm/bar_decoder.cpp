#include "core/rhythm/bar_decoder.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tonearm {

// A hidden Markov model whose states are (metre, place in the bar): each beat moves one place on, a bar's end
// leads to a new bar, mostly of the same metre. As all other beats of a bar say "no downbeat", a path scores
// the log odds of the downbeats alone.

namespace {

constexpr int kShortest = 2;
constexpr int kLongest = 7;
constexpr int kStates = 27;  // 2 + 3 + … + 7

// Log prior of a bar's metre, a bar: music is mostly in 4, then 3 (also as 6), 2; 5 and 7 are rare.
constexpr std::array<float, kLongest + 1> kLogPrior = {0, 0, -2.0f, -0.7f, 0.0f, -2.0f, -1.0f, -2.0f};

constexpr int firstState(int metre) {
  return metre * (metre - 1) / 2 - 1;
}  // of place 1
constexpr int lastState(int metre) {
  return firstState(metre) + metre - 1;
}

}  // namespace

Bars decodeBars(std::span<const float> downbeatLogOdds, const BarModel& model) {
  Bars bars;
  const std::size_t beats = downbeatLogOdds.size();
  if (beats == 0) return bars;

  std::array<float, kStates> score{};
  std::vector<std::array<std::uint8_t, kStates>> from(beats);
  for (std::size_t beat = 0; beat < beats; ++beat) {
    std::array<float, kStates> next{};
    for (int metre = kShortest; metre <= kLongest; ++metre) {
      const int first = firstState(metre);
      for (int state = first + 1; state <= lastState(metre); ++state) {
        next[state] = score[state - 1];
        from[beat][state] = static_cast<std::uint8_t>(state - 1);
      }
      float best = score[lastState(metre)];
      int bestFrom = lastState(metre);
      for (int other = kShortest; other <= kLongest; ++other) {
        const float candidate = score[lastState(other)] - model.metreChangeCost;
        if (candidate > best) {
          best = candidate;
          bestFrom = lastState(other);
        }
      }
      next[first] = best + model.evidenceWeight * downbeatLogOdds[beat] + kLogPrior[metre];
      from[beat][first] = static_cast<std::uint8_t>(bestFrom);
    }
    score = next;
  }

  std::array<std::uint8_t, kStates> metreOf{};
  for (int metre = kShortest; metre <= kLongest; ++metre) {
    for (int state = firstState(metre); state <= lastState(metre); ++state)
      metreOf[state] = static_cast<std::uint8_t>(metre);
  }
  std::array<std::size_t, kLongest + 1> counts{};
  std::size_t state = static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
  bars.positions.resize(beats);
  for (std::size_t beat = beats; beat-- > 0;) {
    const int metre = metreOf[state];
    bars.positions[beat] = static_cast<int>(state) - firstState(metre) + 1;
    ++counts[metre];
    state = from[beat][state];
  }
  bars.metre = static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  return bars;
}

}  // namespace tonearm
