#pragma once

#include <cstddef>

namespace tonearm {

// Low-pass filters by windowing the ideal response with Kaiser's window (J. F. Kaiser, "Nonrecursive digital
// filter design using the I0-sinh window function", 1974).
struct KaiserLowPass {
  double cutoff;         // middle of the transition band, cycles a sample, up to 0.5
  double attenuationDb;  // of the stop band, 50 or more
  double halfLength;     // the response is zero this many samples or more from its middle

  // The shortest one whose transition band is `width` cycles a sample wide; halfLength is rounded up to a
  // whole number.
  static KaiserLowPass design(double cutoff, double width, double attenuationDb);
  // The response `t` samples from the middle; the sum over a grid of spacing 1 is about 1.
  double operator()(double t) const;
};

}  // namespace tonearm
