#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace tonearm {

// The front end of the rhythm stage, and the exact input of the beat network: log-compressed mel magnitudes
// of the analysis signal. Frame k is centred on sample k · kHop. The weights in models/beats were trained on
// just this definition.
class MelFeatures {
 public:
  static constexpr std::size_t kBands = 64;  // triangles, equally wide in mel (HTK's), 30–10500 Hz
  static constexpr std::size_t kHop = 440;   // samples at kAnalysisRateHz: 50.11 frames a second
  static constexpr std::size_t kWindow = 1024;
  static constexpr double kFrameRateHz = 22050.0 / kHop;

  // `consume(features, frames)`: row-major, `frames` rows of kBands values log(1 + 1000 · magnitude); valid
  // during the call.
  using Consumer = std::function<void(std::span<const float> features, std::size_t frames)>;
  explicit MelFeatures(Consumer consume);
  ~MelFeatures();
  void push(std::span<const float> mono);
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tonearm
