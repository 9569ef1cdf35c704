#include "core/loudness/gate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tonearm {
namespace {

constexpr double kOffsetDb = -0.691;  // makes a 997 Hz sine of 0 dBFS in one channel read −3.01 LUFS

// Mean of the windows above `gate`; nothing when there are none.
std::optional<double> meanAbove(const std::vector<double>& windows, double gate) {
  double total = 0.0;
  std::size_t count = 0;
  for (const double window : windows) {
    if (window > gate) {
      total += window;
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  return total / static_cast<double>(count);
}

}  // namespace

double lufs(double meanSquare) {
  return kOffsetDb + 10.0 * std::log10(meanSquare);
}

double absoluteGate() {
  return std::pow(10.0, (-70.0 - kOffsetDb) / 10.0);
}

std::optional<double> integratedLoudness(const std::vector<double>& blocks) {
  const auto ungated = meanAbove(blocks, absoluteGate());
  if (!ungated) return std::nullopt;
  const double relativeGate = *ungated / 10.0;
  // The mean is above a tenth of itself, so something always remains.
  return lufs(*meanAbove(blocks, std::max(relativeGate, absoluteGate())));
}

std::optional<double> loudnessRange(std::vector<double> windows) {
  const auto ungated = meanAbove(windows, absoluteGate());
  if (!ungated) return std::nullopt;
  const double gate = std::max(*ungated / 100.0, absoluteGate());
  std::erase_if(windows, [gate](double window) { return !(window > gate); });
  // Nearest rank, as in the annex of Tech 3342.
  const auto percentile = [&windows](double fraction) {
    const auto rank =
        static_cast<std::ptrdiff_t>(std::lround(static_cast<double>(windows.size() - 1) * fraction));
    std::nth_element(windows.begin(), windows.begin() + rank, windows.end());
    return lufs(windows[static_cast<std::size_t>(rank)]);
  };
  return percentile(0.95) - percentile(0.10);
}

}  // namespace tonearm
