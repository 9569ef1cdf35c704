#include <array>
#include <string>

#include "binding/convert.hpp"

namespace tonearm::binding {
namespace {

constexpr std::array<const char*, 12> kPitchClasses = {"C",  "C#", "D",  "D#", "E",  "F",
                                                       "F#", "G",  "G#", "A",  "A#", "B"};

// Steps along the circle of fifths from C major, whose wheel codes are 8B (Camelot) and 1d (Open Key). A
// minor key has the number of its relative major, a minor third above.
int fifthsFromC(const KeyCandidate& key) {
  const int majorTonic = key.minor ? (key.tonic + 3) % 12 : key.tonic;
  return (majorTonic * 7) % 12;
}

std::string camelot(const KeyCandidate& key) {
  return std::to_string((fifthsFromC(key) + 7) % 12 + 1) + (key.minor ? "A" : "B");
}

std::string openKey(const KeyCandidate& key) {
  return std::to_string(fifthsFromC(key) + 1) + (key.minor ? "m" : "d");
}

void setName(Napi::Object out, const KeyCandidate& key) {
  out.Set("key", kPitchClasses[static_cast<std::size_t>(key.tonic)]);
  out.Set("mode", key.minor ? "minor" : "major");
  out.Set("camelot", camelot(key));
}

}  // namespace

Napi::Object keyObject(Napi::Env env, const Key& key) {
  Napi::Object out = Napi::Object::New(env);
  Reasons reasons(env);
  if (key.candidates.empty()) {
    for (const char* field : {"key", "mode", "camelot", "open_key", "confidence"}) {
      out.Set(field, env.Null());
      reasons.add(field, key.reason);
    }
  } else {
    const KeyCandidate& best = key.candidates.front();
    setName(out, best);
    out.Set("open_key", openKey(best));
    out.Set("confidence", thousandths(best.confidence));
  }
  if (key.tuningHz) {
    out.Set("tuning_hz", hundredths(*key.tuningHz));
  } else {
    out.Set("tuning_hz", env.Null());
    reasons.add("tuning_hz", key.reason);
  }
  Napi::Array alternatives = Napi::Array::New(env);
  for (std::size_t i = 1; i < key.candidates.size(); ++i) {
    Napi::Object alternative = Napi::Object::New(env);
    setName(alternative, key.candidates[i]);
    alternative.Set("confidence", thousandths(key.candidates[i].confidence));
    alternatives.Set(static_cast<std::uint32_t>(i - 1), alternative);
  }
  out.Set("alternatives", alternatives);
  reasons.attachTo(out);
  return out;
}

}  // namespace tonearm::binding
