// The inner loops of the loudness meter; what they compute is said in loudness_kernels.hpp.

constexpr size_t kDoubles = kLanes / 2;
constexpr size_t kParts = kSegments / kDoubles;  // vectors that hold one value of every segment

typedef double DoubleVec __attribute__((vector_size(kDoubles * 8)));
typedef double DoubleVecUnaligned __attribute__((vector_size(kDoubles * 8), aligned(8), may_alias));
typedef float HalfVec __attribute__((vector_size(kDoubles * 4)));
typedef float HalfVecUnaligned __attribute__((vector_size(kDoubles * 4), aligned(4), may_alias));

TONEARM_INLINE DoubleVec loadDoubles(const double* p) {
  return *reinterpret_cast<const DoubleVecUnaligned*>(p);
}
TONEARM_INLINE void storeDoubles(double* p, DoubleVec v) {
  *reinterpret_cast<DoubleVecUnaligned*>(p) = v;
}
TONEARM_INLINE DoubleVec loadWidened(const float* p) {
  return __builtin_convertvector(static_cast<HalfVec>(*reinterpret_cast<const HalfVecUnaligned*>(p)),
                                 DoubleVec);
}
TONEARM_INLINE double sumDoubles(DoubleVec v) {
  double total = 0;
  for (size_t i = 0; i < kDoubles; ++i) total += v[i];
  return total;
}

void endStates(const float* const* segments, const double* response, size_t planeSize, double* states) {
  constexpr size_t kTogether = kDoubles == 8 ? 4 : 2;  // segments that share the loads of `response`
  for (size_t first = 0; first < kSegments; first += kTogether) {
    DoubleVec sums[kTogether][4] = {};
    for (size_t n = 0; n < planeSize; n += kDoubles) {
      const DoubleVec r0 = loadDoubles(response + n), r1 = loadDoubles(response + planeSize + n);
      const DoubleVec r2 = loadDoubles(response + 2 * planeSize + n),
                      r3 = loadDoubles(response + 3 * planeSize + n);
      for (size_t i = 0; i < kTogether; ++i) {
        const DoubleVec x = loadWidened(segments[first + i] + n);
        sums[i][0] += r0 * x;
        sums[i][1] += r1 * x;
        sums[i][2] += r2 * x;
        sums[i][3] += r3 * x;
      }
    }
    for (size_t i = 0; i < kTogether; ++i)
      for (size_t delay = 0; delay < 4; ++delay) states[4 * (first + i) + delay] = sumDoubles(sums[i][delay]);
  }
}

// Samples n … n + 3 of four segments, turned into four vectors with a segment a lane.
TONEARM_INLINE void loadAcross(const float* const* segments, size_t n, Quad (&out)[4]) {
  const Quad a = loadQuad(segments[0] + n), b = loadQuad(segments[1] + n);
  const Quad c = loadQuad(segments[2] + n), d = loadQuad(segments[3] + n);
  const Quad ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  out[0] = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  out[2] = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  out[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

// One sample of segments 0–3 and of segments 4–7, in double precision.
TONEARM_INLINE void widen(Quad low, Quad high, DoubleVec (&out)[kParts]) {
#if TONEARM_LANES == 16
  out[0] = __builtin_convertvector(__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7), DoubleVec);
#elif TONEARM_LANES == 8
  out[0] = __builtin_convertvector(low, DoubleVec);
  out[1] = __builtin_convertvector(high, DoubleVec);
#else
  out[0] = __builtin_convertvector(__builtin_shufflevector(low, low, 0, 1), DoubleVec);
  out[1] = __builtin_convertvector(__builtin_shufflevector(low, low, 2, 3), DoubleVec);
  out[2] = __builtin_convertvector(__builtin_shufflevector(high, high, 0, 1), DoubleVec);
  out[3] = __builtin_convertvector(__builtin_shufflevector(high, high, 2, 3), DoubleVec);
#endif
}

// The delays and the energy so far of kDoubles segments.
struct WeightedSegments {
  DoubleVec shelf1, shelf2, highPass1, highPass2, energy;

  TONEARM_INLINE void step(const KWeighting& f, DoubleVec x) {
    const DoubleVec shelf = f.b0 * x + shelf1;
    shelf1 = f.b1 * x + shelf2 - f.a1 * shelf;
    shelf2 = f.b2 * x - f.a2 * shelf;
    const DoubleVec out = shelf + highPass1;
    highPass1 = highPass2 - 2.0 * shelf - f.c1 * out;
    highPass2 = shelf - f.c2 * out;
    energy += out * out;
  }
};

void weightedEnergies(const float* const* segments, size_t frames, const KWeighting& filter, double* states,
                      double* energies) {
  const KWeighting f = filter;
  WeightedSegments parts[kParts];
  for (size_t part = 0; part < kParts; ++part) {
    const double* from = states + part * kDoubles;
    parts[part] = {loadDoubles(from), loadDoubles(from + 8), loadDoubles(from + 16), loadDoubles(from + 24),
                   DoubleVec{}};
  }
  size_t n = 0;
  for (; n + 4 <= frames; n += 4) {
    Quad low[4], high[4];
    loadAcross(segments, n, low);
    loadAcross(segments + 4, n, high);
    for (size_t i = 0; i < 4; ++i) {
      DoubleVec x[kParts];
      widen(low[i], high[i], x);
      for (size_t part = 0; part < kParts; ++part) parts[part].step(f, x[part]);
    }
  }
  for (; n < frames; ++n) {
    Quad low, high;
    for (size_t i = 0; i < 4; ++i) {
      low[i] = segments[i][n];
      high[i] = segments[4 + i][n];
    }
    DoubleVec x[kParts];
    widen(low, high, x);
    for (size_t part = 0; part < kParts; ++part) parts[part].step(f, x[part]);
  }
  for (size_t part = 0; part < kParts; ++part) {
    double* to = states + part * kDoubles;
    storeDoubles(to, parts[part].shelf1);
    storeDoubles(to + 8, parts[part].shelf2);
    storeDoubles(to + 16, parts[part].highPass1);
    storeDoubles(to + 24, parts[part].highPass2);
    storeDoubles(energies + part * kDoubles, parts[part].energy);
  }
}

// Magnitudes are compared as integers, which order like the floats they are the bits of: one instruction on
// every target, where a maximum of floats would have to mind NaN.
TONEARM_INLINE IntVec magnitude(Vec v) {
  return bits(v) & 0x7fffffff;
}
TONEARM_INLINE IntVec larger(IntVec a, IntVec b) {
  return a > b ? a : b;
}
TONEARM_INLINE float largestLane(IntVec v) {
  std::int32_t largest = 0;
  for (size_t i = 0; i < kLanes; ++i) largest = v[i] > largest ? v[i] : largest;
  return __builtin_bit_cast(float, largest);
}

void chunkPeak(const float* x, float* peak, float* bend) {
  IntVec peaks{}, bends{};
  for (size_t n = 0; n < kPeakChunk; n += kLanes) {
    const Vec here = load(x + n);
    peaks = larger(peaks, magnitude(here));
    bends = larger(bends, magnitude(here + load(x + n - 2) - 2.0f * load(x + n - 1)));
  }
  *peak = largestLane(peaks);
  *bend = largestLane(bends);
}

float interpolatedPeak(const float* x, const PeakInterpolator& interpolator) {
  IntVec peaks{};
  for (size_t n = 0; n < kPeakChunk; n += kLanes) {
    Vec u{}, v{}, w{};
    for (size_t k = 0; k < kPeakTaps / 2; ++k) {
      const Vec late = load(x + n - k), early = load(x + n - (kPeakTaps - 1) + k);
      const Vec even = late + early, odd = late - early;
      u += interpolator.even[k] * even;
      v += interpolator.odd[k] * odd;
      w += interpolator.middle[k] * even;
    }
    const Vec quarter = fromBits(magnitude(u)) + fromBits(magnitude(v));
    peaks = larger(peaks, larger(bits(quarter), magnitude(w)));
  }
  return largestLane(peaks);
}
