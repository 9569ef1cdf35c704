#pragma once

#include <cstddef>

namespace tonearm {

// Low-pass filters by windowing the ideal response with Kaiser's window (J. F. Kaiser, "Nonrecursive digital
// filter design using the I0-sinh window function", 1974).
class KaiserLowPass {
 public:
  // `cutoff`: the middle of the transition band in cycles a sample, up to 0.5; `attenuationDb`: of the stop
  // band, 50 or more; `halfLength`: the response is zero this many samples or more from its middle.
  KaiserLowPass(double cutoff, double attenuationDb, double halfLength);
  // The shortest one whose transition band is `width` cycles a sample wide; its half length is a whole
  // number.
  static KaiserLowPass design(double cutoff, double width, double attenuationDb);

  double halfLength() const { return halfLength_; }
  // The response `t` samples from the middle; the sum over a grid of spacing 1 is about 1.
  double operator()(double t) const;

 private:
  double cutoff_, halfLength_, beta_, peak_;
};

}  // namespace tonearm
