// EBU Tech 3341 (v4) cases 15–23, and the skipping true-peak meter beside one that interpolates everything.
#include "core/loudness/true_peak.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "check.hpp"
#include "loudness/measure.hpp"

using namespace tonearm;

namespace {

constexpr int kRatesHz[] = {44100, 48000, 88200, 96000, 192000};
constexpr double kPi = std::numbers::pi;

double truePeak(int rateHz, const std::vector<float>& signal) {
  return signals::measureStereo(rateHz, signal).truePeakDbtp.value_or(1e9);
}

// A sine of `period` samples, faded in and out: an abrupt start would itself peak above the sine.
std::vector<float> sine(int rateHz, double period, double phaseDegrees, double amplitude) {
  const int frames = rateHz / 2, fade = rateHz / 100;
  std::vector<float> out;
  for (int n = 0; n < frames; ++n) {
    const double edge = std::min({1.0, double(n) / fade, double(frames - 1 - n) / fade});
    const double gain = amplitude * (0.5 - 0.5 * std::cos(kPi * edge));
    out.push_back(static_cast<float>(gain * std::sin(2.0 * kPi * n / period + phaseDegrees * kPi / 180.0)));
  }
  return out;
}

// Every interpolated value, in double precision and the plain form of the filter.
double slowPeak(const std::vector<float>& signal) {
  const simd::PeakInterpolator& filter = truePeakFilter().interpolator;
  constexpr int kTaps = simd::kPeakTaps;
  double peak = 0.0;
  for (int n = 0; n < static_cast<int>(signal.size()) + kTaps; ++n) {
    double phases[3] = {};
    for (int k = 0; k < kTaps; ++k) {
      if (n - k < 0 || n - k >= static_cast<int>(signal.size())) continue;
      const double x = static_cast<double>(signal[n - k]);
      const int m = std::min(k, kTaps - 1 - k);
      const double odd = static_cast<double>(k == m ? filter.odd[m] : -filter.odd[m]);
      phases[0] += (static_cast<double>(filter.even[m]) + odd) * x;
      phases[1] += (static_cast<double>(filter.even[m]) - odd) * x;
      phases[2] += static_cast<double>(filter.middle[m]) * x;
    }
    for (const double y : phases) peak = std::max(peak, std::abs(y));
  }
  for (const float x : signal) peak = std::max(peak, static_cast<double>(std::abs(x)));
  return 20.0 * std::log10(peak);
}

}  // namespace

TEST("Tech 3341 cases 15 to 19: peaks between the samples of steady sines") {
  for (const int rateHz : kRatesHz) {
    const struct {
      double period, phaseDegrees, amplitude, dbtp;
    } cases[] = {{4, 0, 0.5, -6}, {4, 45, 0.5, -6}, {6, 60, 0.5, -6}, {8, 67.5, 0.5, -6}, {4, 45, 1.41, 3}};
    for (const auto& c : cases) {
      const double reading = truePeak(rateHz, sine(rateHz, c.period, c.phaseDegrees, c.amplitude));
      CHECK_NEAR(reading, c.dbtp - 0.1, 0.3);  // +0.2, −0.4
    }
  }
}

TEST("Tech 3341 cases 20 to 23: a burst made at four times the rate reads the same from any decimation") {
  for (const int rateHz : kRatesHz) {
    for (const double period : {16.0, 24.0}) {  // a quarter and a sixth of the rate
      for (int offset = 0; offset < 4; ++offset) {
        std::vector<float> burst;
        const int length = 4 * rateHz / 50, centre = length / 2;
        for (int n = offset; n < length; n += 4) {
          const double envelope = 0.5 + 0.5 * std::cos(2.0 * kPi * (n - centre) / length);
          burst.push_back(static_cast<float>(envelope * std::cos(2.0 * kPi * (n - centre) / period)));
        }
        CHECK_NEAR(truePeak(rateHz, burst), -0.1, 0.3);
      }
    }
  }
}

TEST("the interpolator is flat to 0.04 dB up to 0.42 of the sample rate and to 0.1 dB up to 0.437") {
  const simd::PeakInterpolator& filter = truePeakFilter().interpolator;
  for (double frequency = 0.0; frequency <= 0.437; frequency += 0.001) {
    double even = 0.0, odd = 0.0, middle = 0.0;
    for (std::size_t k = 0; k < simd::kPeakTaps / 2; ++k) {
      const double angle = 2.0 * kPi * frequency * (double(simd::kPeakTaps - 1) / 2.0 - double(k));
      even += 2.0 * static_cast<double>(filter.even[k]) * std::cos(angle);
      odd += 2.0 * static_cast<double>(filter.odd[k]) * std::sin(angle);
      middle += 2.0 * static_cast<double>(filter.middle[k]) * std::cos(angle);
    }
    CHECK_NEAR(20.0 * std::log10(std::hypot(even, odd)), 0.0, frequency <= 0.42 ? 0.04 : 0.1);
    CHECK_NEAR(20.0 * std::log10(std::abs(middle)), 0.0, frequency <= 0.42 ? 0.04 : 0.1);
  }
}

TEST("skipping spans that cannot hold the peak changes nothing") {
  std::vector<std::vector<float>> list;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    list.push_back(signals::noise(3000 + 37 * seed, 0.9f, seed));
    std::vector<float> dark = signals::noise(5000 + 41 * seed, 1.0f, seed);  // little treble, as music
    for (std::size_t n = 1; n < dark.size(); ++n) dark[n] = 0.95f * dark[n - 1] + 0.05f * dark[n];
    list.push_back(dark);
    std::vector<float> clicks(2000 +
                              seed);  // alternating full scale at odd places: the highest peaks there are
    for (std::size_t n = 900; n < 900 + seed; ++n) clicks[n] = n % 2 == 0 ? 1.0f : -1.0f;
    clicks.back() = 0.99f;
    list.push_back(clicks);
    std::vector<float> chirp(9000 + seed);
    for (std::size_t n = 0; n < chirp.size(); ++n)
      chirp[n] =
          static_cast<float>(std::sin(1e-4 * double(n) * double(n) + seed) * (0.5 + 0.5e-4 * double(n)));
    list.push_back(chirp);
  }
  for (const auto& signal : list)
    CHECK_NEAR(signals::measure(signals::format(48000, 1), {&signal}).truePeakDbtp.value_or(1e9),
               slowPeak(signal), 1e-5);
}

TEST("the true peak is never below the sample peak, and absent when not asked for") {
  const auto signal = signals::noise(48000, 0.8f);
  const Loudness both = signals::measureStereo(48000, signal);
  CHECK(both.truePeakDbtp >= both.samplePeakDbfs);
  const Loudness without = signals::measureStereo(48000, signal, {.truePeak = false});
  CHECK(!without.truePeakDbtp && without.samplePeakDbfs == both.samplePeakDbfs &&
        without.peakReason == nullptr);
}
