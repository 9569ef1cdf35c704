#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

// Signals that tests are made of; the same on every run and machine.
namespace signals {

// White noise, uniform in ±1, from a linear congruential generator.
inline std::vector<float> noise(std::size_t samples, std::uint64_t seed = 1) {
  std::vector<float> out(samples);
  std::uint64_t state = seed;
  for (float& x : out) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    x = static_cast<float>(static_cast<double>(state >> 11) * 0x1p-52 - 1.0);
  }
  return out;
}

inline std::vector<float> sine(std::size_t samples, double frequencyHz, double sampleRateHz,
                               double phase = 0) {
  std::vector<float> out(samples);
  for (std::size_t n = 0; n < samples; ++n)
    out[n] = static_cast<float>(
        std::sin(2 * std::numbers::pi * frequencyHz * static_cast<double>(n) / sampleRateHz + phase));
  return out;
}

}  // namespace signals
