// Exponential and logarithm by range reduction and their power series: the terms kept leave less than 1e-7.

constexpr float kLn2High = 0.693359375F,
                kLn2Low = -2.12194440e-4F;  // the first has few bits: n · it is exact

// e^x for x from −87 to 88 (clamped to that), relative error below 2e-7.
TONEARM_INLINE Vec exponential(Vec x) {
  x = minimum(maximum(x, splat(-87.0F)), splat(88.0F));
  const Vec magic = splat(12582912.0F);  // 1.5 · 2²³: adding it rounds to an integer, held in the low bits
  const Vec shifted = x * 1.44269504088896341F + magic;
  const Vec n = shifted - magic;
  const Vec r = (x - n * kLn2High) - n * kLn2Low;
  Vec series = splat(1.0F / 5040);
  series = series * r + 1.0F / 720;
  series = series * r + 1.0F / 120;
  series = series * r + 1.0F / 24;
  series = series * r + 1.0F / 6;
  series = series * r + 0.5F;
  series = series * r + 1.0F;
  series = series * r + 1.0F;
  return fromBits(bits(series) + ((bits(shifted) - bits(magic)) << 23));
}

// ln(1 + u) for u ≥ 0: 1 + u = 2^n · (1 + f) with 1 + f from √½ to √2, and ln(1 + f) = 2·artanh(f / (2 + f)).
// Where n is 0, f is u itself, so that small u lose nothing.
TONEARM_INLINE Vec logarithmOfOnePlus(Vec u) {
  const Vec whole = u + 1.0F;
  const IntVec offset = bits(whole) - bits(splat(0.70710678F));
  const IntVec n = offset >> 23;
  const Vec mantissa = fromBits(bits(whole) - (n << 23));
  const Vec f = n == 0 ? u : mantissa - 1.0F;
  const Vec s = f / (f + 2.0F), s2 = s * s;
  Vec series = splat(2.0F / 9);
  series = series * s2 + 2.0F / 7;
  series = series * s2 + 2.0F / 5;
  series = series * s2 + 2.0F / 3;
  series = series * s2 + 2.0F;
  const Vec exponent = __builtin_convertvector(n, Vec);
  return exponent * kLn2High + (exponent * kLn2Low + series * s);
}

TONEARM_INLINE Vec activated(Activation activation, Vec x) {
  switch (activation) {
    case Activation::relu:
      return maximum(x, Vec{});
    case Activation::elu:
      return x > 0.0F ? x : exponential(x) - 1.0F;
    case Activation::sigmoid:
      return 1.0F / (exponential(-x) + 1.0F);
    default:
      return x;
  }
}

// Calls `map(vector)` for `count` floats; the last few pass through a padded copy.
template <typename Map>
TONEARM_INLINE void mapVectors(const float* x, float* y, size_t count, Map map) {
  size_t n = 0;
  for (; n + kLanes <= count; n += kLanes) store(y + n, map(load(x + n)));
  if (n == count) return;
  Vec rest = {};
  for (size_t i = 0; n + i < count; ++i) rest[i] = x[n + i];
  rest = map(rest);
  for (size_t i = 0; n + i < count; ++i) y[n + i] = rest[i];
}

void logOnePlus(const float* x, float gain, float* y, size_t count) {
  mapVectors(x, y, count, [gain](Vec v) { return logarithmOfOnePlus(v * gain); });
}

void activate(Activation activation, float* values, size_t count) {
  if (activation == Activation::relu)
    mapVectors(values, values, count, [](Vec v) { return activated(Activation::relu, v); });
  else if (activation == Activation::elu)
    mapVectors(values, values, count, [](Vec v) { return activated(Activation::elu, v); });
  else if (activation == Activation::sigmoid)
    mapVectors(values, values, count, [](Vec v) { return activated(Activation::sigmoid, v); });
}
