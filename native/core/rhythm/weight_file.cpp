#include "core/rhythm/weight_file.hpp"

#include <cstring>

#include "core/support/error.hpp"

namespace tonearm {

namespace {

constexpr char kMagic[] = "TONENET1";
constexpr std::uint32_t kMostDimensions = 4;

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::span<const std::uint8_t> take(std::size_t count) {
    if (count > bytes_.size()) throw Error(ErrorCode::internalError, "The weight file is cut short.");
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }
  std::uint32_t integer() {
    const auto b = take(4);
    return b[0] | b[1] << 8 | b[2] << 16 | static_cast<std::uint32_t>(b[3]) << 24;
  }
  std::string text(std::size_t length) {
    const auto b = take(length);
    return {b.begin(), b.end()};
  }
  bool atEnd() const { return bytes_.empty(); }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace

std::map<std::string, Tensor> readWeights(std::span<const std::uint8_t> bytes) {
  Reader reader(bytes);
  if (reader.text(std::strlen(kMagic)) != kMagic)
    throw Error(ErrorCode::internalError, "The weight file does not begin with " + std::string(kMagic) + ".");
  std::map<std::string, Tensor> tensors;
  const std::uint32_t count = reader.integer();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name = reader.text(reader.integer());
    Tensor tensor;
    const std::uint32_t rank = reader.integer();
    if (rank > kMostDimensions)
      throw Error(ErrorCode::internalError, "The weight file's tensor " + name + " has too many dimensions.");
    std::uint64_t size = 1;
    for (std::uint32_t d = 0; d < rank; ++d) {
      tensor.dimensions.push_back(reader.integer());
      size *= tensor.dimensions.back();
      if (size > bytes.size()) throw Error(ErrorCode::internalError, "The weight file is cut short.");
    }
    const auto values = reader.take(size * sizeof(float));
    tensor.values.resize(size);
    std::memcpy(tensor.values.data(), values.data(), values.size());
    tensors.emplace(name, std::move(tensor));
  }
  if (!reader.atEnd())
    throw Error(ErrorCode::internalError, "The weight file goes on after its last tensor.");
  return tensors;
}

}  // namespace tonearm
