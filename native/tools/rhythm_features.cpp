// Writes the beat network's input features: rhythm_features IN.f32 OUT.f32 [IN.f32 OUT.f32 …]
// IN is raw little-endian mono float at 22050 Hz, OUT raw float rows of MelFeatures::kBands values; "-" is
// stdin or stdout.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "core/rhythm/mel_features.hpp"

namespace {

bool convert(const char* inPath, const char* outPath) {
  std::FILE* in = std::strcmp(inPath, "-") == 0 ? stdin : std::fopen(inPath, "rb");
  std::FILE* out = std::strcmp(outPath, "-") == 0 ? stdout : std::fopen(outPath, "wb");
  if (in == nullptr || out == nullptr) return false;
  tonearm::MelFeatures features([out](std::span<const float> rows, std::size_t) {
    std::fwrite(rows.data(), sizeof(float), rows.size(), out);
  });
  std::vector<float> samples(1 << 16);
  while (const std::size_t count = std::fread(samples.data(), sizeof(float), samples.size(), in))
    features.push({samples.data(), count});
  features.finish();
  if (in != stdin) std::fclose(in);
  return (out == stdout ? std::fflush(out) : std::fclose(out)) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc % 2 == 0) {
    std::fprintf(stderr, "usage: rhythm_features IN.f32 OUT.f32 [IN.f32 OUT.f32 ...]\n");
    return 2;
  }
  for (int i = 1; i < argc; i += 2) {
    if (!convert(argv[i], argv[i + 1])) {
      std::fprintf(stderr, "cannot convert %s to %s\n", argv[i], argv[i + 1]);
      return 1;
    }
  }
}
