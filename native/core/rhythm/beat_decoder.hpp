#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rhythm/tempo_space.hpp"

namespace tonearm {

struct DecodedBeat {
  std::int64_t frame = 0;
  int intervalFrames = 0;  // the tempo state that leads on from this beat
};

// Weights of the bar-pointer model's evidence; see beat_decoder.cpp for the model.
struct BeatModel {
  float eventWeight = 1.0f;      // of a beat's log odds, alike at every tempo
  float durationWeight = 0.0f;   // of a beat's log odds, a second of beat interval
  float oddsOffset = 0.0f;       // added to the log odds: how willing the model is to pass through weak beats
  double transitionLambda = 60;  // cost of a relative tempo change from beat to beat
  float jumpCost = 10;           // cost of going on with any tempo whatever
};

// Viterbi search for the beats and tempo that explain a stream of frame-wise beat log odds best.
class BeatDecoder {
 public:
  explicit BeatDecoder(double frameRateHz, const BeatModel& model = {}, TempoRange range = {});
  void push(std::span<const float> logOdds);
  std::vector<DecodedBeat> finish();

 private:
  float arrival(std::int64_t frame, std::size_t tempo) const;
  float* departuresAt(std::int64_t frame) { return departures_.data() + rowOffset(frame); }
  const float* departuresAt(std::int64_t frame) const { return departures_.data() + rowOffset(frame); }
  std::size_t rowOffset(std::int64_t frame) const {
    return static_cast<std::size_t>(frame - firstRow_) * space_.size();
  }
  std::size_t bestPredecessor(std::int64_t frame, std::size_t tempo) const;
  void step(float logOdds);
  void commit(std::int64_t before);

  double frameRateHz_;
  BeatModel model_;
  TempoSpace space_;
  std::vector<float> gain_;        // weight of the odds for each tempo
  std::vector<float> arrivals_;    // one row with kBand unreachable tempi at either side
  std::vector<float> departures_;  // rows from firstRow_ on
  std::int64_t firstRow_ = 0;
  std::int64_t now_ = 0;  // frames seen
  std::vector<DecodedBeat> committed_;
};

}  // namespace tonearm
