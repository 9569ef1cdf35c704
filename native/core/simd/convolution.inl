// Convolutions as sums of weighted, shifted rows (see ConvolutionTile). The innermost loop keeps a block of
// channels × vectors of time in registers: one load a vector of input and one broadcast a weight feed
// channels · vectors multiply-adds.

// AVX-512 and NEON have 32 registers, AVX2 and SSE 16.
#if TONEARM_LANES == 16 || defined(__aarch64__)
constexpr size_t kConvolutionBlock = 8;
constexpr size_t kConvolutionVectors = 3;
#else
constexpr size_t kConvolutionBlock = 4;
constexpr size_t kConvolutionVectors = TONEARM_LANES == 8 ? 3 : 2;
#endif

// `Channels` outputs × `Vectors` vectors of time from frame t on.
template <size_t Channels, size_t Vectors>
TONEARM_INLINE void convolveBlock(const ConvolutionTile& tile, const float* weights, size_t output,
                                  size_t t) {
  Vec sums[Channels][Vectors];
  TONEARM_UNROLL for (size_t c = 0; c < Channels; ++c) TONEARM_UNROLL for (size_t v = 0; v < Vectors; ++v)
      sums[c][v] = splat(tile.bias[output + c]);
  for (size_t k = 0; k < tile.taps; ++k) {
    const float* row = tile.rows[k] + t;
    Vec in[Vectors];
    TONEARM_UNROLL for (size_t v = 0; v < Vectors; ++v) in[v] = load(row + v * kLanes);
    TONEARM_UNROLL for (size_t c = 0; c < Channels; ++c) TONEARM_UNROLL for (size_t v = 0; v < Vectors; ++v)
        sums[c][v] += in[v] * weights[k * Channels + c];
  }
  TONEARM_UNROLL for (size_t c = 0; c < Channels; ++c) TONEARM_UNROLL for (size_t v = 0; v < Vectors; ++v)
      store(tile.outputs[output + c] + t + v * kLanes, activated(tile.activation, sums[c][v]));
}

// All outputs for `Vectors` vectors of time.
template <size_t Vectors>
void convolveFrames(const ConvolutionTile& tile, size_t t) {
  const float* weights = tile.weights;
  size_t output = 0;
  for (; output + kConvolutionBlock <= tile.outputCount; output += kConvolutionBlock) {
    convolveBlock<kConvolutionBlock, Vectors>(tile, weights, output, t);
    weights += kConvolutionBlock * tile.taps;
  }
  if (kConvolutionBlock > 4 && output + 4 <= tile.outputCount) {
    convolveBlock<4, Vectors>(tile, weights, output, t);
    weights += 4 * tile.taps;
    output += 4;
  }
  if (output + 2 <= tile.outputCount) {
    convolveBlock<2, Vectors>(tile, weights, output, t);
    weights += 2 * tile.taps;
    output += 2;
  }
  if (output < tile.outputCount) convolveBlock<1, Vectors>(tile, weights, output, t);
}

void convolve(const ConvolutionTile& tile) {
  size_t t = 0;
  for (; t + kConvolutionVectors * kLanes <= tile.frames; t += kConvolutionVectors * kLanes)
    convolveFrames<kConvolutionVectors>(tile, t);
  for (; t < tile.frames; t += kLanes) convolveFrames<1>(tile, t);
}
