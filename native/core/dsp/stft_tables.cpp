#include "core/dsp/stft_tables.hpp"

#include <cmath>
#include <numbers>

namespace tonearm {

namespace {

// Appends e^(−2πi·k/n), computed in double.
void appendRoot(AlignedFloats& table, std::size_t k, std::size_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  table.push_back(static_cast<float>(std::cos(angle)));
  table.push_back(static_cast<float>(std::sin(angle)));
}

}  // namespace

StftTables::StftTables(std::size_t windowSize) {
  const std::size_t points = windowSize / 2;
  std::size_t rows = 1;
  while (4 * rows * rows <= points) rows *= 2;
  const std::size_t columns = points / rows;

  // The window sums to half its size. The kernel computes twice the magnitudes, so the scale is halved.
  const double size = static_cast<double>(windowSize), scale = 0.5 * 2 / (size / 2);
  for (std::size_t n = 0; n < windowSize; ++n)
    window_.push_back(static_cast<float>(
        scale * (0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / size))));
  for (std::size_t p = 0; p < rows / 4; ++p)
    for (std::size_t j = 1; j < 4; ++j) appendRoot(columnRoots_, p * j, rows);
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row) appendRoot(twists_, row * column, points);
  for (std::size_t p = 0; p < 4; ++p)
    for (std::size_t j = 1; j < columns / 4; ++j) appendRoot(rowRoots_, p * j, columns);
  for (std::size_t row = 0; row <= rows / 2; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      appendRoot(splitRoots_, row + rows * column, windowSize);

  view_ = {rows,           columns,          window_.data(),    columnRoots_.data(),
           twists_.data(), rowRoots_.data(), splitRoots_.data()};
}

}  // namespace tonearm
