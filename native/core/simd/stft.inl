// The magnitude STFT: kLanes frames at once, one a lane, so that the transform below reads like scalar code.
// A real transform of 2M samples is a complex one of M = rows × columns points (even samples real, odd
// imaginary), done as columns, twist, rows (see StftTables), so that each part stays in the first-level
// cache, and a split of each pair of mirrored bins. Window, first butterflies and the transposition into
// lanes share a pass, and so do the last butterflies, the split and the magnitudes.

struct Complex {
  Vec re, im;
};

TONEARM_INLINE Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
TONEARM_INLINE Complex operator-(Complex a, Complex b) {
  return {a.re - b.re, a.im - b.im};
}
TONEARM_INLINE Complex times(Complex a, float re, float im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
TONEARM_INLINE Complex times(Complex a, const float* root) {
  return times(a, root[0], root[1]);
}
TONEARM_INLINE Complex timesMinusI(Complex a) {
  return {a.im, -a.re};
}

// e^(−2πik/32) for k = 0 … 21: cos(πk/16) and −sin(πk/16).
constexpr float kRoots32[22][2] = {
    {1.0F, 0.0F},
    {0.98078528040323044F, -0.19509032201612826F},
    {0.92387953251128676F, -0.38268343236508977F},
    {0.83146961230254524F, -0.55557023301960222F},
    {0.70710678118654752F, -0.70710678118654752F},
    {0.55557023301960222F, -0.83146961230254524F},
    {0.38268343236508977F, -0.92387953251128676F},
    {0.19509032201612826F, -0.98078528040323044F},
    {0.0F, -1.0F},
    {-0.19509032201612826F, -0.98078528040323044F},
    {-0.38268343236508977F, -0.92387953251128676F},
    {-0.55557023301960222F, -0.83146961230254524F},
    {-0.70710678118654752F, -0.70710678118654752F},
    {-0.83146961230254524F, -0.55557023301960222F},
    {-0.92387953251128676F, -0.38268343236508977F},
    {-0.98078528040323044F, -0.19509032201612826F},
    {-1.0F, 0.0F},
    {-0.98078528040323044F, 0.19509032201612826F},
    {-0.92387953251128676F, 0.38268343236508977F},
    {-0.83146961230254524F, 0.55557023301960222F},
    {-0.70710678118654752F, 0.70710678118654752F},
    {-0.55557023301960222F, 0.83146961230254524F},
};

// Transforms of R points in place, in natural order.
template <size_t R>
TONEARM_INLINE void dft(Complex (&x)[R]) {
  if constexpr (R == 2) {
    const Complex a = x[0], b = x[1];
    x[0] = a + b;
    x[1] = a - b;
  } else if constexpr (R == 4) {
    const Complex a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = timesMinusI(x[1] - x[3]);
    x[0] = a + c;
    x[1] = b + d;
    x[2] = a - c;
    x[3] = b - d;
  } else if constexpr (R == 8) {
    Complex even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    dft(even);
    dft(odd);
    constexpr float h = kRoots32[4][0];
    odd[1] = {(odd[1].re + odd[1].im) * h, (odd[1].im - odd[1].re) * h};
    odd[2] = timesMinusI(odd[2]);
    odd[3] = {(odd[3].im - odd[3].re) * h, (odd[3].re + odd[3].im) * -h};
    TONEARM_UNROLL for (size_t k = 0; k < 4; ++k) {
      x[k] = even[k] + odd[k];
      x[k + 4] = even[k] - odd[k];
    }
  } else {
    constexpr size_t kInner = R / 4;
    Complex parts[4][kInner];
    TONEARM_UNROLL for (size_t n = 0; n < 4; ++n) {
      TONEARM_UNROLL for (size_t i = 0; i < kInner; ++i) parts[n][i] = x[4 * i + n];
      dft(parts[n]);
      TONEARM_UNROLL for (size_t k = 1; k < kInner && n > 0; ++k) parts[n][k] =
          times(parts[n][k], kRoots32[n * k * (32 / R)]);
    }
    TONEARM_UNROLL for (size_t k = 0; k < kInner; ++k) {
      Complex outer[4] = {parts[0][k], parts[1][k], parts[2][k], parts[3][k]};
      dft(outer);
      TONEARM_UNROLL for (size_t j = 0; j < 4; ++j) x[k + kInner * j] = outer[j];
    }
  }
}

// Where things lie in the work area. A row is one element longer than its columns: rows a power of two apart
// would all fall into the same few sets of the cache.
struct StftWork {
  explicit StftWork(const StftTables& t, float* work)
      : rowStride(t.columns + 1),
        grid(reinterpret_cast<Complex*>(work)),
        buffer(grid + t.rows * rowStride),
        magnitudes(reinterpret_cast<Vec*>(buffer + 2 * t.columns)) {}
  size_t rowStride;
  Complex* grid;    // rows × rowStride
  Complex* buffer;  // two columns or two rows
  Vec* magnitudes;  // rows·columns + 1
};

size_t stftWorkSize(const StftTables& t) {
  return kLanes * (2 * (t.rows * (t.columns + 1) + 2 * t.columns) + t.rows * t.columns + 1);
}

// Columns `column` and the next: window, transform, twist, into the grid.
template <size_t R>
void transformColumns(const StftTables& t, const StftWork& w, const float* signal, size_t hop,
                      size_t column) {
  const size_t rows = 4 * R;
  for (size_t p = 0; p < R; ++p) {
    Complex x[2][4];
    TONEARM_UNROLL for (size_t j = 0; j < 4; ++j) {
      const size_t sample = 2 * ((p + R * j) * t.columns + column);
      const float* window = t.window + sample;
      Vec v[4];
      loadFrames(signal + sample, hop, v);
      x[0][j] = {v[0] * window[0], v[1] * window[1]};
      x[1][j] = {v[2] * window[2], v[3] * window[3]};
    }
    TONEARM_UNROLL for (size_t c = 0; c < 2; ++c) {
      Complex* out = w.buffer + c * rows + 4 * p;
      dft(x[c]);
      out[0] = x[c][0];
      TONEARM_UNROLL for (size_t j = 1; j < 4; ++j) out[j] =
          times(x[c][j], t.columnRoots + 2 * (3 * p + j - 1));
    }
  }
  for (size_t c = 0; c < 2; ++c) {
    const float* twist = t.twists + 2 * (column + c) * rows;
    for (size_t q = 0; q < 4; ++q) {
      Complex x[R];
      TONEARM_UNROLL for (size_t j = 0; j < R; ++j) x[j] = w.buffer[c * rows + q + 4 * j];
      dft(x);
      TONEARM_UNROLL for (size_t j = 0; j < R; ++j) {
        const size_t row = q + 4 * j;
        w.grid[row * w.rowStride + column + c] = times(x[j], twist + 2 * row);
      }
    }
  }
}

// The first butterflies of a row.
template <size_t R>
void beginRow(const StftTables& t, const Complex* row, Complex* out) {
  for (size_t p = 0; p < 4; ++p) {
    Complex x[R];
    TONEARM_UNROLL for (size_t j = 0; j < R; ++j) x[j] = row[p + 4 * j];
    dft(x);
    out[R * p] = x[0];
    TONEARM_UNROLL for (size_t j = 1; j < R; ++j) out[R * p + j] =
        times(x[j], t.rowRoots + 2 * ((R - 1) * p + j - 1));
  }
}

// The last butterflies: points q, q + R, q + 2R, q + 3R of the row.
template <size_t R>
TONEARM_INLINE void finishRow(const Complex* row, size_t q, Complex (&x)[4]) {
  TONEARM_UNROLL for (size_t j = 0; j < 4; ++j) x[j] = row[q + R * j];
  dft(x);
}

TONEARM_INLINE Vec magnitude(Vec re, Vec im) {
  return squareRoot(re * re + im * im);
}

// Twice the magnitudes of bins k and M − k of the real signal, from those of the complex one and
// e^(−2πi·k/2M).
TONEARM_INLINE void split(Complex a, Complex b, const float* root, Vec& low, Vec& high) {
  const Vec evenRe = a.re + b.re, evenIm = a.im - b.im;
  const Complex odd = times({a.im + b.im, b.re - a.re}, root);
  low = magnitude(evenRe + odd.re, evenIm + odd.im);
  high = magnitude(evenRe - odd.re, evenIm - odd.im);
}

template <size_t R>
void transformRows(const StftTables& t, const StftWork& w) {
  const size_t points = t.rows * t.columns, columns = 4 * R;
  Complex* first = w.buffer;
  Complex* second = w.buffer + columns;
  // Row 0 is its own mirror image, turned by one.
  beginRow<R>(t, w.grid, first);
  for (size_t q = 0; q < R; ++q) {
    Complex x[4];
    finishRow<R>(first, q, x);
    TONEARM_UNROLL for (size_t j = 0; j < 4; ++j) second[q + R * j] = x[j];
  }
  const Vec dc = (second[0].re + second[0].im) * 2.0F, nyquist = (second[0].re - second[0].im) * 2.0F;
  w.magnitudes[0] = maximum(dc, -dc);
  w.magnitudes[points] = maximum(nyquist, -nyquist);
  for (size_t c = 1; c <= columns / 2; ++c)
    split(second[c], second[columns - c], t.splitRoots + 2 * c, w.magnitudes[c * t.rows],
          w.magnitudes[points - c * t.rows]);
  // Row r mirrors row rows − r; the middle one mirrors itself.
  for (size_t r = 1; r <= t.rows / 2; ++r) {
    beginRow<R>(t, w.grid + r * w.rowStride, first);
    beginRow<R>(t, w.grid + (t.rows - r) * w.rowStride, second);
    const float* roots = t.splitRoots + 2 * r * columns;
    for (size_t q = 0; q < R; ++q) {
      Complex a[4], b[4];
      finishRow<R>(first, q, a);
      finishRow<R>(second, R - 1 - q, b);
      TONEARM_UNROLL for (size_t j = 0; j < 4; ++j) {
        const size_t column = q + R * j, bin = r + t.rows * column;
        split(a[j], b[3 - j], roots + 2 * column, w.magnitudes[bin], w.magnitudes[points - bin]);
      }
    }
  }
}

// From one frame a lane to one frame a row, by way of tiles whose rows are not nearly a power of two apart as
// those of the result are: stores to kLanes of those by turns would all fall into the same few sets of the
// cache.
void storeMagnitudes(const Vec* magnitudes, size_t points, float* out) {
  constexpr size_t kTile = 128, kTileStride = kTile + 16;
  alignas(64) float tile[kLanes * kTileStride];
  const size_t bins = points + 1;
  for (size_t start = 0; start < points; start += kTile) {
    for (size_t k = 0; k < kTile; k += kLanes) storeFrames(tile + k, kTileStride, magnitudes + start + k);
    for (size_t frame = 0; frame < kLanes; ++frame)
      TONEARM_UNROLL for (size_t k = 0; k < kTile; k += kLanes)
          store(out + frame * bins + start + k, load(tile + frame * kTileStride + k));
  }
  for (size_t frame = 0; frame < kLanes; ++frame) out[frame * bins + points] = magnitudes[points][frame];
}

template <size_t R1, size_t R2>
void stftOfSize(const StftTables& t, const float* signal, size_t hop, float* work, float* magnitudes) {
  const StftWork w(t, work);
  for (size_t column = 0; column < t.columns; column += 2) transformColumns<R1>(t, w, signal, hop, column);
  transformRows<R2>(t, w);
  storeMagnitudes(w.magnitudes, t.rows * t.columns, magnitudes);
}

void stft(const StftTables& t, const float* signal, size_t hop, float* work, float* magnitudes) {
  const bool square = t.rows == t.columns;
  switch (t.rows / 4) {
    case 2:
      return stftOfSize<2, 4>(t, signal, hop, work, magnitudes);
    case 4:
      return (square ? stftOfSize<4, 4> : stftOfSize<4, 8>)(t, signal, hop, work, magnitudes);
    case 8:
      return (square ? stftOfSize<8, 8> : stftOfSize<8, 16>)(t, signal, hop, work, magnitudes);
    default:
      return (square ? stftOfSize<16, 16> : stftOfSize<16, 32>)(t, signal, hop, work, magnitudes);
  }
}
