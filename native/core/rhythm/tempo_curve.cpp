#include "core/rhythm/tempo_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tonearm {

namespace {

constexpr double kUnsteadinessS = 0.02;  // standard deviation of a played beat about a steady pulse
constexpr double kSegmentCost = 12;      // what another segment must save, in half squared deviations
constexpr std::size_t kFewestBeats = 4;
constexpr std::size_t kMostBeats = 512;  // a search step looks this far back; longer runs come from joining

// Sums that make the least-squares line through any run of beats a matter of subtraction. Times are taken
// relative to the first beat.
class Lines {
 public:
  explicit Lines(std::span<const double> beatsS)
      : origin_(beatsS.front()), t_(beatsS.size() + 1), it_(t_), tt_(t_) {
    for (std::size_t i = 0; i < beatsS.size(); ++i) {
      const double t = beatsS[i] - origin_;
      t_[i + 1] = t_[i] + t;
      it_[i + 1] = it_[i] + static_cast<double>(i) * t;
      tt_[i + 1] = tt_[i] + t * t;
    }
  }

  struct Line {
    double startS = 0, periodS = 0, squares = 0;
  };

  Line fit(std::size_t first, std::size_t end) const {
    const double n = static_cast<double>(end - first);
    const double t = t_[end] - t_[first];
    const double meanIndex = static_cast<double>(first) + (n - 1) / 2;
    const double covariance = it_[end] - it_[first] - meanIndex * t;
    const double variance = n * (n * n - 1) / 12;
    const double slope = covariance / variance;
    const double mean = t / n;
    const double squares = std::max(0.0, tt_[end] - tt_[first] - t * mean - slope * covariance);
    return {origin_ + mean - slope * (n - 1) / 2, slope, squares};
  }

 private:
  double origin_;
  std::vector<double> t_, it_, tt_;
};

double costOf(const Lines::Line& line) {
  return line.squares / (2 * kUnsteadinessS * kUnsteadinessS);
}

}  // namespace

std::vector<TempoSegment> fitTempo(std::span<const double> beatsS) {
  const std::size_t count = beatsS.size();
  const Lines lines(beatsS);
  std::vector<std::size_t> ends;  // last first
  if (count < 2 * kFewestBeats) {
    ends.push_back(count);
  } else {
    // cost[k]: of the best split of the first k beats.
    std::vector<double> cost(count + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> from(count + 1);
    cost[0] = 0;
    for (std::size_t end = kFewestBeats; end <= count; ++end) {
      const std::size_t earliest = end > kMostBeats ? end - kMostBeats : 0;
      for (std::size_t first = earliest; first + kFewestBeats <= end; ++first) {
        const double total = cost[first] + kSegmentCost + costOf(lines.fit(first, end));
        if (total < cost[end]) {
          cost[end] = total;
          from[end] = first;
        }
      }
    }
    for (std::size_t end = count; end > 0; end = from[end]) ends.push_back(end);
  }

  std::vector<TempoSegment> segments;
  std::size_t first = 0;
  for (std::size_t i = ends.size(); i-- > 0;) {
    std::size_t start = first;
    if (!segments.empty()) {
      const TempoSegment& last = segments.back();
      const double apart =
          costOf(lines.fit(last.firstBeat, first)) + costOf(lines.fit(first, ends[i])) + kSegmentCost;
      if (costOf(lines.fit(last.firstBeat, ends[i])) <= apart) {
        start = last.firstBeat;
        segments.pop_back();
      }
    }
    const Lines::Line line = lines.fit(start, ends[i]);
    segments.push_back({start, ends[i] - start, line.startS, line.periodS});
    first = ends[i];
  }
  return segments;
}

double medianBpm(std::span<const TempoSegment> segments) {
  std::vector<TempoSegment> byPeriod(segments.begin(), segments.end());
  std::sort(byPeriod.begin(), byPeriod.end(),
            [](const TempoSegment& a, const TempoSegment& b) { return a.periodS < b.periodS; });
  std::size_t beats = 0;
  for (const TempoSegment& segment : byPeriod) beats += segment.beats;
  std::size_t passed = 0;
  for (const TempoSegment& segment : byPeriod) {
    passed += segment.beats;
    if (2 * passed >= beats) return 60 / segment.periodS;
  }
  return 0;
}

}  // namespace tonearm
