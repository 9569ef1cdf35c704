// Features for models/training/key: for each raw file (32-bit float mono, 22050 Hz) writes OUT/<name>.chroma,
// one row of 3 × 12 floats (bass, middle, treble) for every key block, tuned; prints name, blocks, cents,
// concentration.
//
//   chroma_dump OUT FILE.f32…
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/tonal/key_blocks.hpp"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: chroma_dump OUT FILE.f32…\n");
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    const std::filesystem::path file = argv[i];
    std::vector<float> samples(std::filesystem::file_size(file) / sizeof(float));
    std::ifstream(file, std::ios::binary)
        .read(reinterpret_cast<char*>(samples.data()),
              static_cast<std::streamsize>(samples.size() * sizeof(float)));
    tonearm::KeyBlocks blocks;
    blocks.push(samples);
    blocks.finish();
    const auto rows = blocks.tuned();
    const std::string name = file.stem().string();
    std::ofstream out(std::filesystem::path(argv[1]) / (name + ".chroma"), std::ios::binary);
    out.write(reinterpret_cast<const char*>(rows.data()),
              static_cast<std::streamsize>(rows.size() * sizeof(rows[0])));
    std::printf("%s\t%zu\t%.2f\t%.4f\t%.4f\n", name.c_str(), rows.size(), blocks.chroma().tuning().cents(),
                blocks.chroma().tuning().concentration(), blocks.chroma().tonalShare());
  }
}
