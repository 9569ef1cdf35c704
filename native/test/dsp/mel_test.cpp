#include "core/dsp/mel.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "core/support/error.hpp"
#include "signals.hpp"

using namespace tonearm;

TEST("a flat spectrum reads 1 in every band") {
  for (const simd::Kernels* table : simd::kernelTables()) {
    const MelFilterbank mel(22050, 2048, 81, 30, 11025, MelScale::slaney, *table);
    const std::vector<float> flat(3 * 1025, 1.0F);
    std::vector<float> out(3 * 81);
    mel.apply(flat, 3, out);
    for (const float value : out) CHECK_NEAR(value, 1, 1e-6);
  }
}

TEST("a single bin falls into the two triangles that overlap it, by Slaney's scale") {
  // 12 bands from 0 to 4000 Hz: corners of linear bands 200/3 · step Hz apart, so weights follow by hand.
  const MelFilterbank mel(16000, 16384, 14, 0, 1000);  // 15 mel over 15 steps: corners every 200/3 Hz
  std::vector<float> spectrum(8193, 0.0F), out(14);
  const double binHz = 16000.0 / 16384, hz = 300;
  const std::size_t bin = static_cast<std::size_t>(std::lround(hz / binHz));
  spectrum[bin] = 1;
  mel.apply(spectrum, 1, out);
  // Corners lie at 266.7 and 333.3 Hz: bands 3 (top 266.7) and 4 (top 333.3), each with unit area 66.7 /
  // binHz bins.
  const double area = 200.0 / 3 / binHz, place = (static_cast<double>(bin) * binHz - 800.0 / 3) / (200.0 / 3);
  for (std::size_t b = 0; b < 14; ++b)
    CHECK_NEAR(out[b], b == 3 ? (1 - place) / area : b == 4 ? place / area : 0, 1e-5);
}

TEST("a single bin falls into the two triangles that overlap it, by HTK's scale") {
  const MelFilterbank mel(22050, 1024, 64, 30, 10500, MelScale::htk);
  std::vector<float> spectrum(513, 0.0F), out(64);
  const std::size_t bin = 100;
  spectrum[bin] = 2;
  mel.apply(spectrum, 1, out);
  const auto melOfHz = [](double hz) { return 2595 * std::log10(1 + hz / 700); };
  const double step = (melOfHz(10500) - melOfHz(30)) / 65;
  const auto cornerHz = [&](double i) { return 700 * (std::pow(10, (melOfHz(30) + step * i) / 2595) - 1); };
  const double hz = static_cast<double>(bin) * 22050 / 1024;
  const double below = std::floor((melOfHz(hz) - melOfHz(30)) / step);  // the corner under the bin
  const double place = (hz - cornerHz(below)) / (cornerHz(below + 1) - cornerHz(below));
  // The band that peaks at corner i is band i − 1; triangles are 1 at their top.
  for (std::size_t b = 0; b < 64; ++b) {
    const double corner = static_cast<double>(b) + 1;
    CHECK_NEAR(out[b], corner == below ? 2 * (1 - place) : corner == below + 1 ? 2 * place : 0, 1e-5);
  }
}

TEST("above 1 kHz the centres grow by a constant factor") {
  const MelFilterbank mel(22050, 16384, 40, 1000, 11025);
  std::vector<double> centresHz;
  std::vector<float> out(40);
  std::vector<double> weighted(40), total(40);
  for (std::size_t bin = 0; bin < 8193; ++bin) {
    std::vector<float> spectrum(8193, 0.0F);
    spectrum[bin] = 1;
    mel.apply(spectrum, 1, out);
    for (std::size_t b = 0; b < 40; ++b)
      if (static_cast<double>(out[b]) > weighted[b]) {
        weighted[b] = static_cast<double>(out[b]);
        total[b] = static_cast<double>(bin);
      }
  }
  const double factor = std::exp(std::log(11.025) / 41);
  for (std::size_t b = 1; b < 40; ++b) CHECK_NEAR(total[b] / total[b - 1], factor, 0.003);
}

TEST("a band narrower than a bin takes the nearest one") {
  const MelFilterbank mel(22050, 256, 60, 0, 1000);
  const std::vector<float> flat(129, 2.0F);
  std::vector<float> out(60);
  mel.apply(flat, 1, out);
  for (const float value : out) CHECK_NEAR(value, 2, 1e-6);
}

TEST("every table gives the sums of the definition") {
  const std::vector<float> spectrum = signals::noise(5 * 1025);
  std::vector<float> reference(5 * 45), out(5 * 45);
  MelFilterbank(44100, 2048, 45, 20, 16000, MelScale::slaney, simd::genericKernels())
      .apply(spectrum, 5, reference);
  for (const simd::Kernels* table : simd::kernelTables()) {
    MelFilterbank(44100, 2048, 45, 20, 16000, MelScale::slaney, *table).apply(spectrum, 5, out);
    for (std::size_t i = 0; i < out.size(); ++i) CHECK_NEAR(out[i], reference[i], 1e-6);
  }
}

TEST("the logarithm of one plus x has a relative error below 1e-6, from 1e-30 to 1e30") {
  std::vector<float> x{0.0F};
  for (double value = 1e-30; value < 1e30; value *= 1.0031) x.push_back(static_cast<float>(value));
  for (double value = 1e-3; value < 20; value *= 1.00003) x.push_back(static_cast<float>(value));
  for (const simd::Kernels* table : simd::kernelTables()) {
    std::vector<float> y(x.size());
    logOnePlus(x, 3.0F, y, *table);
    double worst = 0;
    for (std::size_t n = 1; n < x.size(); ++n) {
      const double expected = std::log1p(static_cast<double>(3.0F * x[n]));
      worst = std::max(worst, std::abs(static_cast<double>(y[n]) / expected - 1));
    }
    CHECK(y[0] == 0);
    CHECK_NEAR(worst, 0, 1e-6);
  }
}

TEST("limits that make no sense are refused") {
  CHECK_THROWS(ErrorCode::invalidParameter, MelFilterbank(22050, 2048, 40, 500, 400));
  CHECK_THROWS(ErrorCode::invalidParameter, MelFilterbank(22050, 2048, 40, 30, 12000));
  CHECK_THROWS(ErrorCode::invalidParameter, MelFilterbank(22050, 2000, 40, 30, 11025));
  CHECK_THROWS(ErrorCode::invalidParameter, MelFilterbank(22050, 2048, 0, 30, 11025));
}
