// A single complex transform: radix-4 Stockham autosort (no reordering pass), real and imaginary parts apart,
// with neighbouring points in the lanes. Stage by stage sequences of `length` points, `stride` of them
// interleaved, become four times as many of a quarter of the length.

template <typename V>
TONEARM_INLINE V loadAs(const float* p) {
  V v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
template <typename V>
TONEARM_INLINE void storeAs(float* p, V v) {
  __builtin_memcpy(p, &v, sizeof v);
}

template <typename V>
struct Point {
  V re, im;
};

template <typename V>
TONEARM_INLINE void butterfly4(Point<V> (&x)[4]) {
  const Point<V> a{x[0].re + x[2].re, x[0].im + x[2].im}, b{x[0].re - x[2].re, x[0].im - x[2].im};
  const Point<V> c{x[1].re + x[3].re, x[1].im + x[3].im}, d{x[1].im - x[3].im, x[3].re - x[1].re};  // · −i
  x[0] = {a.re + c.re, a.im + c.im};
  x[1] = {b.re + d.re, b.im + d.im};
  x[2] = {a.re - c.re, a.im - c.im};
  x[3] = {b.re - d.re, b.im - d.im};
}

template <typename V, typename W>
TONEARM_INLINE Point<V> rotated(Point<V> x, W re, W im) {
  return {x.re * re - x.im * im, x.re * im + x.im * re};
}

// Lanes along the interleaved sequences: `stride` is at least their number.
template <typename V>
void fftStage4(const FftTables& t, size_t length, size_t stride, const float* in, float* out) {
  constexpr size_t kWidth = sizeof(V) / sizeof(float);
  const size_t quarter = length / 4;
  for (size_t p = 0; p < quarter; ++p) {
    const float *w1 = t.roots + 2 * stride * p, *w2 = t.roots + 4 * stride * p,
                *w3 = t.roots + 6 * stride * p;
    for (size_t q = 0; q < stride; q += kWidth) {
      Point<V> x[4];
      TONEARM_UNROLL for (size_t j = 0; j < 4; ++j) {
        const float* from = in + q + stride * (p + quarter * j);
        x[j] = {loadAs<V>(from), loadAs<V>(from + t.points)};
      }
      butterfly4(x);
      x[1] = rotated(x[1], w1[0], w1[1]);
      x[2] = rotated(x[2], w2[0], w2[1]);
      x[3] = rotated(x[3], w3[0], w3[1]);
      TONEARM_UNROLL for (size_t j = 0; j < 4; ++j) {
        float* to = out + q + stride * (4 * p + j);
        storeAs(to, x[j].re);
        storeAs(to + t.points, x[j].im);
      }
    }
  }
}

TONEARM_INLINE void storeTransposed(float* p, Quad a, Quad b, Quad c, Quad d) {
  const Quad ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  storeQuad(p, __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5));
  storeQuad(p + 4, __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7));
  storeQuad(p + 8, __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5));
  storeQuad(p + 12, __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7));
}

// The first stage, of stride 1: four neighbouring butterflies in the lanes, transposed on the way out.
void fftFirstStage4(const FftTables& t, const float* in, float* out) {
  const size_t quarter = t.points / 4;
  for (size_t p = 0; p < quarter; p += 4) {
    Point<Quad> x[4];
    TONEARM_UNROLL for (size_t j = 0; j < 4; ++j)
        x[j] = {loadQuad(in + p + quarter * j), loadQuad(in + p + quarter * j + t.points)};
    butterfly4(x);
    TONEARM_UNROLL for (size_t j = 1; j < 4; ++j) {
      const float* roots = t.firstRoots + 2 * (j - 1) * quarter + p;
      x[j] = rotated(x[j], loadQuad(roots), loadQuad(roots + quarter));
    }
    storeTransposed(out + 4 * p, x[0].re, x[1].re, x[2].re, x[3].re);
    storeTransposed(out + 4 * p + t.points, x[0].im, x[1].im, x[2].im, x[3].im);
  }
}

// What is left of a length that is no power of four: sequences of two points, half the array apart.
void fftLastStage2(const FftTables& t, const float* in, float* out) {
  const size_t half = t.points / 2;
  for (size_t part = 0; part < 2; ++part, in += t.points, out += t.points)
    for (size_t q = 0; q < half; q += 4) {
      const Quad a = loadQuad(in + q), b = loadQuad(in + q + half);
      storeQuad(out + q, a + b);
      storeQuad(out + q + half, a - b);
    }
}

float* fft(const FftTables& t, float* data, float* work) {
  size_t length = t.points;
  for (size_t stride = 1; length >= 4; length /= 4, stride *= 4) {
    if (stride == 1 && t.points >= 16)
      fftFirstStage4(t, data, work);
    else if (stride >= kLanes)
      fftStage4<Vec>(t, length, stride, data, work);
    else if (stride >= 4)
      fftStage4<Quad>(t, length, stride, data, work);
    else
      fftStage4<float>(t, length, stride, data, work);
    float* const result = work;
    work = data;
    data = result;
  }
  if (length == 1) return data;
  fftLastStage2(t, data, work);
  return work;
}
