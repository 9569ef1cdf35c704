#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tonearm {

// A partial of the sound in one STFT frame.
struct SpectralPeak {
  float pitch = 0;      // semitones, MIDI numbering at A4 = 440 Hz: 69 + 12·log2(f / 440)
  float magnitude = 0;  // of the peak's bin, full-scale sine = 1
};

// Finds what stands out of a Hann-windowed magnitude spectrum: local maxima well above their surroundings.
// Drums and noise fill the spectrum evenly and so leave few peaks; that is what keeps them out of the chroma.
class SpectralPeakPicker {
 public:
  // Peaks between the two frequencies (Hz) of frames with `windowSize / 2 + 1` magnitudes.
  SpectralPeakPicker(std::size_t windowSize, double sampleRateHz, double lowestHz, double highestHz);

  // The result is valid until the next call.
  std::span<const SpectralPeak> pick(std::span<const float> magnitudes);

  // All magnitudes of the last frame in the searched band, peaks or not, and how many bins that is.
  float bandSum() const noexcept { return bandSum_; }
  std::size_t bandBins() const noexcept;

 private:
  std::size_t firstBin_, lastBin_;
  std::vector<float> binPitch_;     // of each bin's centre
  std::vector<float> groupPrefix_;  // magnitudes summed over groups of bins, cumulative
  std::vector<SpectralPeak> peaks_;
  float bandSum_ = 0;
};

}  // namespace tonearm
