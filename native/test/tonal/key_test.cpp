#include "core/tonal/key.hpp"

#include <string>

#include "check.hpp"
#include "tonal/band.hpp"

using namespace tonearm;

namespace {

Key keyOf(const band::Signal& signal) {
  KeyDetector detector;
  detector.push(signal);
  return detector.finish();
}

bool isKey(const Key& key, int tonic, bool minor) {
  return !key.candidates.empty() && key.candidates[0].tonic == tonic && key.candidates[0].minor == minor;
}

}  // namespace

TEST("cadences are heard in all 24 keys, with drums and noise too") {
  for (int tonic = 0; tonic < 12; ++tonic)
    for (const bool minor : {false, true}) {
      band::Signal signal;
      band::addCadences(signal, 0, tonic, minor, 3);
      CHECK(isKey(keyOf(signal), tonic, minor));
      band::addDrums(signal, 0.3F);
      band::addNoise(signal, 0.02F);
      CHECK(isKey(keyOf(signal), tonic, minor));
    }
}

TEST("a detuned piece keeps its key and tells its tuning") {
  for (const int cents : {-45, -30, -10, 0, 20, 35, 45}) {
    band::Signal signal;
    band::addCadences(signal, 0, 2, false, 3, cents);
    const Key key = keyOf(signal);
    CHECK(isKey(key, 2, false));
    CHECK(key.tuningHz.has_value());
    CHECK_NEAR(key.tuningHz.value_or(0), 440 * std::exp2(cents / 1200.0), 0.5);
  }
}

TEST("a piece that modulates has the key it stays in longest") {
  band::Signal signal;
  double now = band::addCadences(signal, 0, 0, false, 4);  // C major
  now = band::addCadences(signal, now, 3, false, 2);       // E flat major
  band::addCadences(signal, now, 0, false, 2);
  CHECK(isKey(keyOf(signal), 0, false));
}

TEST("the order of blocks pushed does not matter, nor their size") {
  band::Signal signal;
  band::addCadences(signal, 0, 9, true, 3);
  band::addNoise(signal, 0.01F);
  signal.resize(signal.size() - 777);
  const Key whole = keyOf(signal);
  for (const std::size_t size : {1000UL, 4096UL, 10007UL}) {
    KeyDetector detector;
    for (std::size_t start = 0; start < signal.size(); start += size)
      detector.push(std::span<const float>(signal).subspan(start, std::min(size, signal.size() - start)));
    const Key pieces = detector.finish();
    CHECK(pieces.tuningHz == whole.tuningHz);
    CHECK(pieces.candidates.size() == whole.candidates.size());
    for (std::size_t i = 0; i < whole.candidates.size(); ++i)
      CHECK(pieces.candidates[i].confidence == whole.candidates[i].confidence);
  }
}

TEST("candidates are ranked, distinct, and their confidences a distribution") {
  band::Signal signal;
  band::addCadences(signal, 0, 0, true, 2);
  const Key key = keyOf(signal);
  CHECK(key.candidates.size() == 5);
  double sum = 0;
  for (std::size_t i = 0; i < key.candidates.size(); ++i) {
    sum += key.candidates[i].confidence;
    CHECK(key.candidates[i].tonic >= 0 && key.candidates[i].tonic < 12);
    if (i > 0) CHECK(key.candidates[i].confidence <= key.candidates[i - 1].confidence);
  }
  CHECK(sum > 0.5 && sum < 1.000001);
}

TEST("what has no key gets a reason in place of one") {
  const band::Signal silence(band::samplesOf(10), 0.0F);
  CHECK(std::string(keyOf(silence).reason) == "silent");
  CHECK(keyOf(silence).candidates.empty() && !keyOf(silence).tuningHz);

  band::Signal chord;
  band::addChord(chord, 0, 1, {0, false});
  CHECK(std::string(keyOf(chord).reason) == "audio_too_short");
  CHECK(std::string(keyOf({}).reason) == "audio_too_short");

  band::Signal noise(band::samplesOf(20), 0.0F);
  band::addNoise(noise, 0.3F);
  CHECK(std::string(keyOf(noise).reason) == "no_tonal_content");

  band::Signal drums(band::samplesOf(20), 0.0F);
  band::addDrums(drums, 0.5F);
  CHECK(std::string(keyOf(drums).reason) == "no_tonal_content");
}

TEST("loudness does not matter") {
  band::Signal signal;
  band::addCadences(signal, 0, 7, true, 3);
  const Key loud = keyOf(signal);
  for (float& sample : signal) sample *= 0.01F;
  const Key soft = keyOf(signal);
  CHECK(isKey(soft, 7, true));
  CHECK_NEAR(soft.candidates[0].confidence, loud.candidates[0].confidence, 0.01);
}

TEST("a raised flag cancels the decision too") {
  band::Signal signal;
  band::addCadences(signal, 0, 0, false, 3);
  KeyDetector detector;
  detector.push(signal);
  const std::int32_t raised = 1;
  CHECK_THROWS(ErrorCode::canceled, detector.finish(CancelToken(&raised)));
}
