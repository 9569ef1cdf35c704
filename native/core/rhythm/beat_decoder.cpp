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

namespace {

constexpr float kUnreachable = -1e9f;
constexpr std::uint8_t kStart = 255;         // backpointer: no earlier beat
constexpr std::int64_t kCommitEvery = 8192;  // frames between two commits
constexpr std::int64_t kCommitLag = 4096;    // about 40 s: paths have long met by then

}  // namespace

BeatDecoder::BeatDecoder(double frameRateHz, const BeatModel& model)
    : frameRateHz_(frameRateHz), model_(model), space_(frameRateHz, model.transitionLambda, model.jumpCost) {
  const std::size_t count = space_.size();
  padded_ = count + 2 * TempoSpace::kBand;
  for (std::size_t i = 0; i < count; ++i) {
    const float intervalS = static_cast<float>(space_.intervalFrames(i) / frameRateHz_);
    gain_.push_back(model.eventWeight + model.durationWeight * intervalS);
  }
  arrivals_.assign(padded_, kUnreachable);
  departures_.assign(static_cast<std::size_t>(space_.longestFrames()) * count, 0.0f);
}

void BeatDecoder::push(std::span<const float> logOdds) {
  for (const float odds : logOdds) step(odds);
}

void BeatDecoder::step(float logOdds) {
  const std::size_t count = space_.size();
  const std::int64_t ring = space_.longestFrames();
  float* arrive = arrivals_.data() + TempoSpace::kBand;
  float bestArrival = kUnreachable;
  std::uint8_t bestFrom = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t from = now_ - space_.intervalFrames(i);
    // Before the first beat nothing has been gained or lost, and every tempo is as good as another.
    arrive[i] = from < 0 ? 0.0f : departures_[static_cast<std::size_t>(from % ring) * count + i];
    if (arrive[i] > bestArrival) {
      bestArrival = arrive[i];
      bestFrom = static_cast<std::uint8_t>(i);
    }
  }

  float best[256];
  std::int32_t from[256];
  for (std::size_t i = 0; i < count; ++i) {
    best[i] = bestArrival - model_.jumpCost;
    from[i] = bestFrom;
  }
  for (int offset = -TempoSpace::kBand; offset <= TempoSpace::kBand; ++offset) {
    const TempoSpace::Diagonal& diagonal = space_.diagonal(offset);
    const float* source = arrive + offset;
    for (std::size_t i = diagonal.first; i < diagonal.end; ++i) {
      const float candidate = source[i] + diagonal.logWeights[i];
      const bool better = candidate > best[i];
      best[i] = better ? candidate : best[i];
      from[i] = better ? static_cast<std::int32_t>(i) + offset : from[i];
    }
  }

  const std::size_t row = backpointers_.size();
  backpointers_.resize(row + count);
  float* depart = departures_.data() + static_cast<std::size_t>(now_ % ring) * count;
  for (std::size_t i = 0; i < count; ++i) {
    depart[i] = best[i] + gain_[i] * (logOdds + model_.oddsOffset);
    const bool start = now_ < space_.intervalFrames(static_cast<std::size_t>(from[i]));
    backpointers_[row + i] = start ? kStart : static_cast<std::uint8_t>(from[i]);
  }
  ++now_;
  if (now_ - firstRow_ >= kCommitEvery + kCommitLag + ring) commit(now_ - kCommitLag);
}

// Traces the best path back from now and keeps its beats before frame `before`.
void BeatDecoder::commit(std::int64_t before) {
  const std::size_t count = space_.size();
  const std::int64_t ring = space_.longestFrames();
  // The path's last beat has its next one due at or after now.
  float bestScore = -std::numeric_limits<float>::infinity();
  DecodedBeat beat{-1, 0};
  std::size_t tempo = 0;
  for (std::int64_t frame = std::max<std::int64_t>(0, now_ - ring); frame < now_; ++frame) {
    const float* depart = departures_.data() + static_cast<std::size_t>(frame % ring) * count;
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
  while (beat.frame > last && beat.frame >= firstRow_) {
    if (beat.frame < before) path.push_back(beat);
    const std::uint8_t from = backpointers_[static_cast<std::size_t>(beat.frame - firstRow_) * count + tempo];
    if (from == kStart) break;
    tempo = from;
    beat = {beat.frame - space_.intervalFrames(tempo), space_.intervalFrames(tempo)};
  }
  std::reverse(path.begin(), path.end());
  for (const DecodedBeat& next : path) {
    // Where the path has changed its mind about what was committed, it must not add a beat beside an old one.
    if (!committed_.empty() && next.frame - committed_.back().frame < space_.intervalFrames(0) / 2) continue;
    committed_.push_back(next);
  }

  const std::int64_t keepFrom = std::max<std::int64_t>(firstRow_, before - ring);
  backpointers_.erase(backpointers_.begin(),
                      backpointers_.begin() + static_cast<std::ptrdiff_t>((keepFrom - firstRow_) * count));
  firstRow_ = keepFrom;
  // Scores grow with time; keep them small enough for single precision. Nothing but differences matters.
  for (float& score : departures_) score -= bestScore;
}

std::vector<DecodedBeat> BeatDecoder::finish() {
  if (now_ > 0) commit(now_);
  return std::move(committed_);
}

}  // namespace tonearm
