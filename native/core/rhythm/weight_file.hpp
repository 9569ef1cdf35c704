#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tonearm {

struct Tensor {
  std::vector<std::uint32_t> dimensions;
  std::vector<float> values;  // the last dimension runs fastest
};

// Reads a file of named tensors: "TONENET1", their number, and for each the length of its name, the name, the
// number of dimensions, the dimensions and the values; integers are 32 bits, floats IEEE 754, all
// little-endian. Throws Error{internalError} when the bytes are not such a file.
std::map<std::string, Tensor> readWeights(std::span<const std::uint8_t> bytes);

}  // namespace tonearm
