// Filters of the resampler. Every output is summed in the same order wherever it lies in a block, so that the
// result does not depend on how the signal was cut.

void mix(const float* const* channels, size_t channelCount, float share, float* out, size_t count) {
  size_t n = 0;
  for (; n + kLanes <= count; n += kLanes) {
    Vec total = load(channels[0] + n);
    for (size_t c = 1; c < channelCount; ++c) total += load(channels[c] + n);
    store(out + n, total * share);
  }
  for (; n < count; ++n) {
    float total = channels[0][n];
    for (size_t c = 1; c < channelCount; ++c) total += channels[c][n];
    out[n] = total * share;
  }
}

void deinterleave(const float* x, float* even, float* odd, size_t pairs) {
  size_t n = 0;
  for (; n + 4 <= pairs; n += 4) {
    const Quad a = loadQuad(x + 2 * n), b = loadQuad(x + 2 * n + 4);
    storeQuad(even + n, __builtin_shufflevector(a, b, 0, 2, 4, 6));
    storeQuad(odd + n, __builtin_shufflevector(a, b, 1, 3, 5, 7));
  }
  for (; n < pairs; ++n) {
    even[n] = x[2 * n];
    odd[n] = x[2 * n + 1];
  }
}

// Vectors of at most eight floats: the half-band filter of 2 × 24 taps is a whole number of them.
constexpr size_t kFilterLanes = kLanes < 8 ? kLanes : 8;
typedef float FilterVec __attribute__((vector_size(kFilterLanes * 4)));
typedef float FilterVecUnaligned __attribute__((vector_size(kFilterLanes * 4), aligned(4), may_alias));
TONEARM_INLINE FilterVec loadFilter(const float* p) {
  return *reinterpret_cast<const FilterVecUnaligned*>(p);
}

// Taps `kFilterLanes` apart meet the same vectors of input for neighbouring outputs, so each vector is loaded
// once for all of them.
template <size_t Taps>
void halfBandOf(const float* coefficients, float center, const float* x, const float* middle, float* out,
                size_t count) {
  constexpr size_t kOutputs = 4, kSteps = Taps / kFilterLanes;
  for (size_t n = 0; n < count; n += kOutputs * kFilterLanes) {
    FilterVec sums[kOutputs];
    for (size_t v = 0; v < kOutputs; ++v) sums[v] = loadFilter(middle + n + v * kFilterLanes) * center;
    for (size_t s = 0; s < kFilterLanes; ++s) {
      const float* after = x + n + Taps + s;
      const float* before = x + n + Taps - 1 - s - (kSteps - 1) * kFilterLanes;
      FilterVec a[kOutputs + kSteps - 1], b[kOutputs + kSteps - 1];
      TONEARM_UNROLL for (size_t i = 0; i < kOutputs + kSteps - 1; ++i) {
        a[i] = loadFilter(after + i * kFilterLanes);
        b[i] = loadFilter(before + i * kFilterLanes);
      }
      TONEARM_UNROLL for (size_t step = 0; step < kSteps; ++step)
          TONEARM_UNROLL for (size_t v = 0; v < kOutputs; ++v) sums[v] +=
          (b[v + kSteps - 1 - step] + a[v + step]) * coefficients[step * kFilterLanes + s];
    }
    for (size_t v = 0; v < kOutputs; ++v)
      *reinterpret_cast<FilterVecUnaligned*>(out + n + v * kFilterLanes) = sums[v];
  }
}

void halfBand(const float* coefficients, size_t taps, float center, const float* x, const float* middle,
              float* out, size_t count) {
  (taps == 8 ? halfBandOf<8> : halfBandOf<24>)(coefficients, center, x, middle, out, count);
}

// Inputs of a period that a rational filter takes: a whole number of quads.
size_t rationalInputs(const RationalFilter& f) {
  return (f.first[f.groups - 1] + f.span + 3) / 4 * 4;
}

size_t rationalWorkSize(const RationalFilter& f) {
  return kLanes * (rationalInputs(f) + 8 * f.groups);
}

// One period a lane: all lanes then share each weight, and eight outputs share each vector of input.
void rational(const RationalFilter& f, const float* x, float* work, float* out) {
  Vec* in = reinterpret_cast<Vec*>(work);
  Vec* results = in + rationalInputs(f);
  for (size_t t = 0; t < rationalInputs(f); t += 4) {
    Vec v[4];
    loadFrames(x + t, f.down, v);
    TONEARM_UNROLL for (size_t i = 0; i < 4; ++i) in[t + i] = v[i];
  }
  for (size_t g = 0; g < f.groups; ++g) {
    const Vec* inputs = in + f.first[g];
    const float* weights = f.weights + g * f.span * 8;
    Vec sums[8] = {};
    for (size_t t = 0; t < f.span; ++t)
      TONEARM_UNROLL for (size_t i = 0; i < 8; ++i) sums[i] += inputs[t] * weights[8 * t + i];
    TONEARM_UNROLL for (size_t i = 0; i < 8; ++i) results[8 * g + i] = sums[i];
  }
  size_t m = 0;
  for (; m + kLanes <= f.up; m += kLanes) storeFrames(out + m, f.up, results + m);
  for (; m < f.up; ++m)
    for (size_t lane = 0; lane < kLanes; ++lane) out[lane * f.up + m] = results[m][lane];
}

// Four outputs at once share the work of adding up the lanes.
void interpolated(const InterpolatedFilter& f, const float* x, std::uint64_t position, float* out,
                  size_t count) {
  std::uint64_t index = position / f.up, rest = position % f.up;
  const std::uint64_t indexStep = f.down / f.up, restStep = f.down % f.up;
  const float share = 1.0F / static_cast<float>(f.up);
  for (size_t n = 0; n < count; n += 4) {
    Vec sums[4] = {};
    const size_t outputs = count - n < 4 ? count - n : 4;
    for (size_t i = 0; i < outputs; ++i) {
      const std::uint64_t scaled = rest * f.phases;
      const float* row = f.bank + scaled / f.up * f.taps;
      const float part = static_cast<float>(scaled % f.up) * share;
      for (size_t t = 0; t < f.taps; t += kLanes) {
        const Vec here = load(row + t), next = load(row + f.taps + t);
        sums[i] += (here + (next - here) * part) * load(x + index + t);
      }
      index += indexStep;
      rest += restStep;
      if (rest >= f.up) {
        rest -= f.up;
        ++index;
      }
    }
    const Quad results = sumEach(sums[0], sums[1], sums[2], sums[3]);
    if (outputs == 4)
      storeQuad(out + n, results);
    else
      for (size_t i = 0; i < outputs; ++i) out[n + i] = results[i];
  }
}
