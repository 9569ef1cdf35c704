// The loudness meter beside libebur128, both with true peak, on decoded audio in memory: processor time (the
// best of several runs by turns in one process) and readings.
//
//   loudness_bench [FILE…]      without a file: four minutes of synthetic stereo at 44.1 kHz
//
// Prints one JSON object a file ("difference_lu": ours − libebur128's, in LU or dB), then one with the totals
// and the largest differences. libebur128's momentary and short-term maxima are asked for every 10 ms,
// outside the time. Its loudness range steps by 1 s where Tech 3342 (v3 and later) wants 100 ms, so short
// pieces differ there.

#include <ebur128.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/codec/decoder.hpp"
#include "core/loudness/loudness.hpp"
#include "core/simd/kernels.hpp"
#include "core/support/error.hpp"

using namespace tonearm;

namespace {

constexpr std::size_t kBlockFrames = 1152;  // an MP3 frame
constexpr int kRounds = 5;

struct Audio {
  StreamFormat format;
  std::vector<std::vector<float>> channels;
  std::size_t frames() const { return channels.empty() ? 0 : channels[0].size(); }
  double seconds() const { return static_cast<double>(frames()) / format.sampleRateHz; }
};

// Integrated, range, maximum momentary and short-term, true peak, sample peak; NaN where there is none.
constexpr std::array kNames = {"integrated", "range", "momentary", "short_term", "true_peak", "sample_peak"};
using Readings = std::array<double, kNames.size()>;

// Processor time, so that other load on the machine counts for little.
double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Audio load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  Decoder decoder({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, {});
  Audio audio{decoder.info().format, {}};
  audio.channels.resize(audio.format.channels.size());
  for (Block block = decoder.next(); block.frames > 0; block = decoder.next())
    for (std::size_t c = 0; c < audio.channels.size(); ++c)
      audio.channels[c].insert(audio.channels[c].end(), block.channels[c], block.channels[c] + block.frames);
  return audio;
}

// Noise with the spectral tilt of music and a beat of 120 BPM, different on both channels.
Audio synthesise() {
  constexpr int kRateHz = 44100;
  Audio audio{{kRateHz, {ChannelRole::main, ChannelRole::main}}, {{}, {}}};
  std::uint32_t seed = 1;
  for (auto& channel : audio.channels) {
    float low = 0.0F;
    for (int n = 0; n < 240 * kRateHz; ++n) {
      seed = seed * 1664525U + 1013904223U;
      const float white = static_cast<float>(seed >> 8) * 0x1p-23F - 1.0F;
      low += 0.05F * (white - low);
      const float beat = static_cast<float>(n % (kRateHz / 2)) / (kRateHz / 2.0F);
      channel.push_back((0.3F + 0.7F * (1.0F - beat)) * (2.0F * low + 0.1F * white));
    }
  }
  return audio;
}

Readings measureOurs(const Audio& audio, double& seconds) {
  const double start = now();
  LoudnessMeter meter(audio.format);
  std::vector<const float*> pointers(audio.channels.size());
  for (std::size_t done = 0; done < audio.frames(); done += kBlockFrames) {
    for (std::size_t c = 0; c < pointers.size(); ++c) pointers[c] = audio.channels[c].data() + done;
    meter.push({pointers, std::min(kBlockFrames, audio.frames() - done)});
  }
  const Loudness result = meter.finish();
  seconds = std::min(seconds, now() - start);
  const auto value = [](const std::optional<double>& x) { return x.value_or(std::nan("")); };
  return {value(result.integratedLufs),   value(result.loudnessRangeLu), value(result.maxMomentaryLufs),
          value(result.maxShortTermLufs), value(result.truePeakDbtp),    value(result.samplePeakDbfs)};
}

class Reference {
 public:
  Reference(const StreamFormat& format, int mode)
      : state_(ebur128_init(static_cast<unsigned>(format.channelCount()),
                            static_cast<unsigned long>(format.sampleRateHz), mode)) {
    for (unsigned c = 0; c < format.channels.size(); ++c) {
      const ChannelRole role = format.channels[c];
      ebur128_set_channel(state_, c,
                          role == ChannelRole::main       ? EBUR128_LEFT
                          : role == ChannelRole::surround ? EBUR128_LEFT_SURROUND
                                                          : EBUR128_UNUSED);
    }
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() { ebur128_destroy(&state_); }
  ebur128_state* operator*() { return state_; }

 private:
  ebur128_state* state_;
};

std::vector<float> interleave(const Audio& audio) {
  std::vector<float> out;
  out.reserve(audio.frames() * audio.channels.size());
  for (std::size_t n = 0; n < audio.frames(); ++n)
    for (const auto& channel : audio.channels) out.push_back(channel[n]);
  return out;
}

Readings measureReference(const Audio& audio, const std::vector<float>& interleaved, double& seconds) {
  const std::size_t channels = audio.channels.size();
  const double start = now();
  Reference meter(audio.format, EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK);
  for (std::size_t done = 0; done < audio.frames(); done += kBlockFrames)
    ebur128_add_frames_float(*meter, interleaved.data() + done * channels,
                             std::min(kBlockFrames, audio.frames() - done));
  Readings readings;
  readings.fill(std::nan(""));
  ebur128_loudness_global(*meter, &readings[0]);
  ebur128_loudness_range(*meter, &readings[1]);
  double truePeak = 0.0, samplePeak = 0.0;
  for (unsigned c = 0; c < channels; ++c) {
    double peak = 0.0;
    ebur128_true_peak(*meter, c, &peak);
    truePeak = std::max(truePeak, peak);
    ebur128_sample_peak(*meter, c, &peak);
    samplePeak = std::max(samplePeak, peak);
  }
  seconds = std::min(seconds, now() - start);
  readings[4] = 20.0 * std::log10(truePeak);
  readings[5] = 20.0 * std::log10(samplePeak);
  return readings;
}

void addReferenceMaxima(const Audio& audio, const std::vector<float>& interleaved, Readings& readings) {
  Reference meter(audio.format, EBUR128_MODE_M | EBUR128_MODE_S);
  const auto at = [&](std::size_t step) { return (step * audio.format.sampleRateHz + 50) / 100; };
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double momentary = kNone, shortTerm = kNone, value = kNone;
  for (std::size_t step = 0; at(step + 1) <= audio.frames(); ++step) {
    ebur128_add_frames_float(*meter, interleaved.data() + at(step) * audio.channels.size(),
                             at(step + 1) - at(step));
    if (step + 1 >= 40 && ebur128_loudness_momentary(*meter, &value) == EBUR128_SUCCESS)
      momentary = std::max(momentary, value);
    if (step + 1 >= 300 && ebur128_loudness_shortterm(*meter, &value) == EBUR128_SUCCESS)
      shortTerm = std::max(shortTerm, value);
  }
  readings[2] = momentary;
  readings[3] = shortTerm;
}

void print(const char* name, const Readings& readings, const char* end) {
  std::printf("\"%s\": {", name);
  const char* separator = "";
  for (std::size_t i = 0; i < readings.size(); ++i) {
    std::printf(std::isfinite(readings[i]) ? "%s\"%s\": %.4f" : "%s\"%s\": null", separator, kNames[i],
                readings[i]);
    separator = ", ";
  }
  std::printf("}%s", end);
}

void compare(const std::string& name, const Audio& audio, Readings& worst, double& oursS,
             double& referenceS) {
  const std::vector<float> interleaved = interleave(audio);
  double ours = 1e9, reference = 1e9;
  Readings a{}, b{};
  for (int round = 0; round < kRounds; ++round) {
    a = measureOurs(audio, ours);
    b = measureReference(audio, interleaved, reference);
  }
  addReferenceMaxima(audio, interleaved, b);
  Readings difference;
  for (std::size_t i = 0; i < difference.size(); ++i) {
    difference[i] = a[i] - b[i];
    if (std::abs(difference[i]) > std::abs(worst[i])) worst[i] = difference[i];
  }
  std::printf(
      "{\"file\": \"%s\", \"duration_s\": %.3f, \"ours_s\": %.6f, \"libebur128_s\": %.6f, \"ratio\": %.4f, ",
      name.c_str(), audio.seconds(), ours, reference, ours / reference);
  print("ours", a, ", ");
  print("difference_lu", difference, "}\n");
  oursS += ours;
  referenceS += reference;
}

}  // namespace

int main(int argc, char** argv) {
  Readings worst{};
  double oursS = 0.0, referenceS = 0.0, audioS = 0.0;
  try {
    for (int i = 1; i < std::max(argc, 2); ++i) {
      const Audio audio = argc > 1 ? load(argv[i]) : synthesise();
      const std::string name = argc > 1 ? std::filesystem::path(argv[i]).filename().string() : "synthetic";
      compare(name, audio, worst, oursS, referenceS);
      audioS += audio.seconds();
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", codeName(error.code()), error.what());
    return 1;
  }
  std::printf(
      "{\"simd\": \"%s\", \"audio_s\": %.1f, \"ours_s\": %.6f, \"libebur128_s\": %.6f, \"ratio\": %.4f, ",
      simd::kernels().name, audioS, oursS, referenceS, oursS / referenceS);
  print("worst_difference_lu", worst, "}\n");
}
