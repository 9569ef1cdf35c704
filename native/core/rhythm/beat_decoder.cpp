#include "core/rhythm/beat_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tonearm {

// The bar-pointer model (Whiteley, Cemgil and Godsill 2006) lets tempo change only at beats (Krebs et al.
// 2015). A path is then a chain of beat intervals, and as the frames between beats score the same on every
// path once each beat is weighed by its odds against no beat, one update a frame and tempo suffices (a
// semi-Markov search) instead of one for every position within the beat:
//
//   arrive(t, τ) = depart(t − τ, τ)
//   depart(t, τ) = weight(τ) · odds(t) + max over τ' of (arrive(t, τ') + log p(τ | τ'))

// A path's score is kept for every frame and tempo until its beats are settled; where it came from is worked
// out again for the few states on the best path, which leaves nothing but additions and maxima in the inner
// loop.

namespace {

constexpr float kUnreachable = -1e9f;
constexpr std::int64_t kCommitEvery = 8192;  // frames between two commits
constexpr std::int64_t kCommitLag = 4096;    // about 40 s: paths have long met by then

}  // namespace

BeatDecoder::BeatDecoder(double frameRateHz, const BeatModel& model, TempoRange range)
    : frameRateHz_(frameRateHz),
      model_(model),
      space_(frameRateHz, range, model.transitionLambda, model.jumpCost),
      arrivals_(space_.size() + 2 * TempoSpace::kBand, kUnreachable) {
  for (std::size_t i = 0; i < space_.size(); ++i) {
    const float intervalS = static_cast<float>(space_.intervalFrames(i) / frameRateHz_);
    gain_.push_back(model.eventWeight + model.durationWeight * intervalS);
  }
}

void BeatDecoder::push(std::span<const float> logOdds) {
  for (const float odds : logOdds) step(odds);
}

// Before the first beat nothing has been gained or lost, and every tempo is as good as another.
float BeatDecoder::arrival(std::int64_t frame, std::size_t tempo) const {
  const std::int64_t from = frame - space_.intervalFrames(tempo);
  return from < 0 ? 0.0f : departuresAt(from)[tempo];
}

void BeatDecoder::step(float logOdds) {
  const std::size_t count = space_.size();
  departures_.resize(departures_.size() + count);
  float* arrive = arrivals_.data() + TempoSpace::kBand;
  float* depart = departuresAt(now_);
  float bestArrival = kUnreachable;
  for (std::size_t i = 0; i < count; ++i) {
    arrive[i] = arrival(now_, i);
    bestArrival = std::max(bestArrival, arrive[i]);
  }
  for (std::size_t i = 0; i < count; ++i) depart[i] = bestArrival - model_.jumpCost;
  for (int offset = -TempoSpace::kBand; offset <= TempoSpace::kBand; ++offset) {
    const TempoSpace::Diagonal& diagonal = space_.diagonal(offset);
    const float* source = arrive + offset;
    const float* weights = diagonal.logWeights.data();
    for (std::size_t i = diagonal.first; i < diagonal.end; ++i) {
      const float candidate = source[i] + weights[i];
      depart[i] = candidate > depart[i] ? candidate : depart[i];
    }
  }
  for (std::size_t i = 0; i < count; ++i) depart[i] += gain_[i] * (logOdds + model_.oddsOffset);
  ++now_;
  if (now_ - firstRow_ >= kCommitEvery + kCommitLag + space_.longestFrames()) commit(now_ - kCommitLag);
}

// The tempo with which the best path to a beat at `frame`, going on with `tempo`, came to it.
std::size_t BeatDecoder::bestPredecessor(std::int64_t frame, std::size_t tempo) const {
  float best = -std::numeric_limits<float>::infinity();
  std::size_t from = tempo;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    const int offset = static_cast<int>(i) - static_cast<int>(tempo);
    float weight = -model_.jumpCost;
    if (std::abs(offset) <= TempoSpace::kBand)
      weight = std::max(weight, space_.diagonal(offset).logWeights[tempo]);
    const float score = arrival(frame, i) + weight;
    if (score > best) {
      best = score;
      from = i;
    }
  }
  return from;
}

// Traces the best path back from now and keeps its beats before frame `before`.
void BeatDecoder::commit(std::int64_t before) {
  const std::size_t count = space_.size();
  // The path's last beat has its next one due at or after now.
  float bestScore = -std::numeric_limits<float>::infinity();
  DecodedBeat beat{-1, 0};
  std::size_t tempo = 0;
  for (std::int64_t frame = std::max<std::int64_t>(0, now_ - space_.longestFrames()); frame < now_; ++frame) {
    const float* depart = departuresAt(frame);
    for (std::size_t i = 0; i < count; ++i) {
      if (frame + space_.intervalFrames(i) >= now_ && depart[i] > bestScore) {
        bestScore = depart[i];
        beat = {frame, space_.intervalFrames(i)};
        tempo = i;
      }
    }
  }
  const std::int64_t last = committed_.empty() ? -1 : committed_.back().frame;
  std::vector<DecodedBeat> path;
  while (beat.frame > last) {
    if (beat.frame < before) path.push_back(beat);
    tempo = bestPredecessor(beat.frame, tempo);
    beat = {beat.frame - space_.intervalFrames(tempo), space_.intervalFrames(tempo)};
  }
  std::reverse(path.begin(), path.end());
  for (const DecodedBeat& next : path) {
    // Where the path has changed its mind about what was committed, it must not add a beat beside an old one.
    if (!committed_.empty() && next.frame - committed_.back().frame < space_.intervalFrames(0) / 2) continue;
    committed_.push_back(next);
  }

  // The next trace reaches back to the last beat kept, and one interval behind it.
  const std::int64_t settled = committed_.empty() ? before : committed_.back().frame;
  const std::int64_t keepFrom = std::max(firstRow_, settled - space_.longestFrames());
  departures_.erase(departures_.begin(),
                    departures_.begin() + static_cast<std::ptrdiff_t>(rowOffset(keepFrom)));
  firstRow_ = keepFrom;
  // Scores grow with time; keep them small enough for single precision. Nothing but differences matters.
  for (float& score : departures_) score -= bestScore;
}

std::vector<DecodedBeat> BeatDecoder::finish() {
  if (now_ > 0) commit(now_);
  return std::move(committed_);
}

}  // namespace tonearm
