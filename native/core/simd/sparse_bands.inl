// Sparse bands: four at a time, so that adding up the lanes is shared.
void sparseBands(const SparseBands& s, const float* x, size_t stride, size_t rows, float* out) {
  for (size_t r = 0; r < rows; ++r, x += stride, out += s.bands)
    for (size_t b = 0; b < s.bands; b += 4) {
      Vec sums[4] = {};
      const size_t bands = s.bands - b < 4 ? s.bands - b : 4;
      for (size_t i = 0; i < bands; ++i) {
        const float* in = x + s.first[b + i];
        const float* weights = s.weights[b + i];
        for (size_t n = 0; n < s.count[b + i]; n += kLanes) sums[i] += load(weights + n) * load(in + n);
      }
      const Quad results = sumEach(sums[0], sums[1], sums[2], sums[3]);
      if (bands == 4)
        storeQuad(out + b, results);
      else
        for (size_t i = 0; i < bands; ++i) out[b + i] = results[i];
    }
}
