#pragma once

#include <optional>
#include <vector>

namespace tonearm {

// Loudness in LUFS of a weighted mean square (ITU-R BS.1770-5, equation 2); −infinity for 0.
double lufs(double meanSquare);

// Absolute gate of −70 LUFS, as a weighted mean square.
double absoluteGate();

// Both take weighted mean squares of windows in time order and return nothing when none exceeds the absolute
// gate.

// Integrated loudness in LUFS of 400 ms blocks that overlap by 75 % (ITU-R BS.1770-5, annex 1): the mean of
// the blocks above −70 LUFS and above 10 LU below the mean of those.
std::optional<double> integratedLoudness(const std::vector<double>& blocks);

// Loudness range in LU of 3 s windows, one every 100 ms (EBU Tech 3342): from the 10th to the 95th percentile
// of those above −70 LUFS and above 20 LU below their mean. The vector is taken by value: percentiles reorder
// it.
std::optional<double> loudnessRange(std::vector<double> windows);

}  // namespace tonearm
