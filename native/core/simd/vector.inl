// A vector of kLanes floats by GCC's and Clang's vector extensions, which give +, −, ·, comparisons and
// selection on every instruction set; the few things they lack are below.

#define TONEARM_INLINE [[gnu::always_inline]] inline
// Before a short loop over an array that is to live in registers.
#define TONEARM_UNROLL _Pragma("GCC unroll 32")

constexpr size_t kLanes = TONEARM_LANES;

typedef float Vec __attribute__((vector_size(kLanes * 4)));
typedef float VecUnaligned __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
typedef std::int32_t IntVec __attribute__((vector_size(kLanes * 4)));
typedef float Quad __attribute__((vector_size(16)));
typedef float QuadUnaligned __attribute__((vector_size(16), aligned(4), may_alias));

TONEARM_INLINE Vec load(const float* p) {
  return *reinterpret_cast<const VecUnaligned*>(p);
}
TONEARM_INLINE void store(float* p, Vec v) {
  *reinterpret_cast<VecUnaligned*>(p) = v;
}
TONEARM_INLINE Quad loadQuad(const float* p) {
  return *reinterpret_cast<const QuadUnaligned*>(p);
}
TONEARM_INLINE void storeQuad(float* p, Quad v) {
  *reinterpret_cast<QuadUnaligned*>(p) = v;
}
TONEARM_INLINE Vec splat(float x) {
  return x - Vec{};
}
TONEARM_INLINE IntVec bits(Vec v) {
  return reinterpret_cast<IntVec>(v);
}
TONEARM_INLINE Vec fromBits(IntVec v) {
  return reinterpret_cast<Vec>(v);
}
TONEARM_INLINE Vec minimum(Vec a, Vec b) {
  return a < b ? a : b;
}
TONEARM_INLINE Vec maximum(Vec a, Vec b) {
  return a > b ? a : b;
}

TONEARM_INLINE Vec squareRoot(Vec v) {
#if TONEARM_LANES == 16
  return reinterpret_cast<Vec>(_mm512_maskz_sqrt_ps(0xFFFF, reinterpret_cast<__m512>(v)));
#elif TONEARM_LANES == 8
  return reinterpret_cast<Vec>(_mm256_sqrt_ps(reinterpret_cast<__m256>(v)));
#elif defined(__x86_64__)
  return reinterpret_cast<Vec>(_mm_sqrt_ps(reinterpret_cast<__m128>(v)));
#elif defined(__aarch64__)
  return reinterpret_cast<Vec>(vsqrtq_f32(reinterpret_cast<float32x4_t>(v)));
#else
  for (size_t i = 0; i < kLanes; ++i) v[i] = __builtin_sqrtf(v[i]);
  return v;
#endif
}

// A vector of the quads at p, p + stride, p + 2·stride …
TONEARM_INLINE Vec gatherQuads(const float* p, size_t stride) {
#if TONEARM_LANES == 16
  const Quad a = loadQuad(p), b = loadQuad(p + stride), c = loadQuad(p + 2 * stride),
             d = loadQuad(p + 3 * stride);
  const auto ab = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  const auto cd = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif TONEARM_LANES == 8
  return __builtin_shufflevector(loadQuad(p), loadQuad(p + stride), 0, 1, 2, 3, 4, 5, 6, 7);
#else
  (void)stride;
  return loadQuad(p);
#endif
}

// Among kLanes / 4 vectors: quad q of vector g goes to quad g of vector q.
TONEARM_INLINE void exchangeQuads(Vec (&v)[kLanes / 4]) {
#if TONEARM_LANES == 16
  const Vec a = __builtin_shufflevector(v[0], v[1], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
  const Vec b =
      __builtin_shufflevector(v[0], v[1], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  const Vec c = __builtin_shufflevector(v[2], v[3], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
  const Vec d =
      __builtin_shufflevector(v[2], v[3], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  v[0] = __builtin_shufflevector(a, c, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
  v[1] = __builtin_shufflevector(b, d, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
  v[2] = __builtin_shufflevector(a, c, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  v[3] = __builtin_shufflevector(b, d, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
#elif TONEARM_LANES == 8
  const Vec a = __builtin_shufflevector(v[0], v[1], 0, 1, 2, 3, 8, 9, 10, 11);
  v[1] = __builtin_shufflevector(v[0], v[1], 4, 5, 6, 7, 12, 13, 14, 15);
  v[0] = a;
#else
  (void)v;
#endif
}

// Element i of each quad, from a and b by turns: a0 b0 a1 b1 | a2 b2 a3 b3, quad by quad.
TONEARM_INLINE Vec interleaveLow(Vec a, Vec b) {
#if TONEARM_LANES == 16
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
#elif TONEARM_LANES == 8
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
#else
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
#endif
}
TONEARM_INLINE Vec interleaveHigh(Vec a, Vec b) {
#if TONEARM_LANES == 16
  return __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
#elif TONEARM_LANES == 8
  return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
#else
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
#endif
}
// The low or high halves of each quad of a and of b.
TONEARM_INLINE Vec joinLow(Vec a, Vec b) {
#if TONEARM_LANES == 16
  return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
#elif TONEARM_LANES == 8
  return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
#else
  return __builtin_shufflevector(a, b, 0, 1, 4, 5);
#endif
}
TONEARM_INLINE Vec joinHigh(Vec a, Vec b) {
#if TONEARM_LANES == 16
  return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
#elif TONEARM_LANES == 8
  return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
#else
  return __builtin_shufflevector(a, b, 2, 3, 6, 7);
#endif
}

// Transposes the 4 × 4 matrices whose rows are the quads of a, b, c and d.
TONEARM_INLINE void transposeQuads(Vec& a, Vec& b, Vec& c, Vec& d) {
  const Vec ab0 = interleaveLow(a, b), ab1 = interleaveHigh(a, b);
  const Vec cd0 = interleaveLow(c, d), cd1 = interleaveHigh(c, d);
  a = joinLow(ab0, cd0);
  b = joinHigh(ab0, cd0);
  c = joinLow(ab1, cd1);
  d = joinHigh(ab1, cd1);
}

// Four samples of kLanes frames, `hop` apart, one frame a lane: v[i] holds sample i.
TONEARM_INLINE void loadFrames(const float* p, size_t hop, Vec (&v)[4]) {
  // Says that p may be anything, or the compiler keeps (and steps) a pointer for each frame and each call in
  // a loop.
  asm("" : "+r"(p));
  TONEARM_UNROLL for (size_t i = 0; i < 4; ++i) v[i] = gatherQuads(p + i * hop, 4 * hop);
  transposeQuads(v[0], v[1], v[2], v[3]);
}

// The other way: stores kLanes values of kLanes rows, `stride` apart, from vectors that hold one value of
// each row.
TONEARM_INLINE void storeFrames(float* p, size_t stride, const Vec* values) {
  constexpr size_t kGroups = kLanes / 4;
  Vec v[4][kGroups];
  TONEARM_UNROLL for (size_t g = 0; g < kGroups; ++g) {
    for (size_t i = 0; i < 4; ++i) v[i][g] = values[4 * g + i];
    transposeQuads(v[0][g], v[1][g], v[2][g], v[3][g]);
  }
  TONEARM_UNROLL for (size_t i = 0; i < 4; ++i) {
    exchangeQuads(v[i]);
    TONEARM_UNROLL for (size_t q = 0; q < kGroups; ++q) store(p + (4 * q + i) * stride, v[i][q]);
  }
}

// The lanes of a vector folded to four.
TONEARM_INLINE Quad fold(Vec v) {
#if TONEARM_LANES == 16
  const auto half = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                    __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  return __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
#elif TONEARM_LANES == 8
  return __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
#else
  return v;
#endif
}

// The sums of the lanes of four vectors.
TONEARM_INLINE Quad sumEach(Vec a, Vec b, Vec c, Vec d) {
  const Quad p = fold(a), q = fold(b), r = fold(c), s = fold(d);
  const Quad pq = __builtin_shufflevector(p, q, 0, 1, 4, 5) + __builtin_shufflevector(p, q, 2, 3, 6, 7);
  const Quad rs = __builtin_shufflevector(r, s, 0, 1, 4, 5) + __builtin_shufflevector(r, s, 2, 3, 6, 7);
  return __builtin_shufflevector(pq, rs, 0, 2, 4, 6) + __builtin_shufflevector(pq, rs, 1, 3, 5, 7);
}
