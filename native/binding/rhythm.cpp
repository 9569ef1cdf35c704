#include "binding/convert.hpp"

namespace tonearm::binding {
namespace {

void setNull(Napi::Object out, Reasons& reasons, const char* field, const char* reason) {
  out.Set(field, out.Env().Null());
  reasons.add(field, reason);
}

// The fields that tempo and beat grid share: tempo, confidence, time_signature.
void setTempo(Napi::Object out, Reasons& reasons, const Rhythm& rhythm) {
  if (rhythm.tempi.empty()) {
    setNull(out, reasons, "tempo", rhythm.reason);
    setNull(out, reasons, "confidence", rhythm.reason);
  } else {
    out.Set("tempo", hundredths(rhythm.tempi.front().bpm));
    out.Set("confidence", thousandths(rhythm.tempi.front().confidence));
  }
  if (rhythm.timeSignature == 0) {
    setNull(out, reasons, "time_signature", rhythm.reason);
  } else {
    out.Set("time_signature", rhythm.timeSignature);
  }
}

Napi::Array timeArray(Napi::Env env, const std::vector<double>& times) {
  Napi::Array out = Napi::Array::New(env, times.size());
  for (std::uint32_t i = 0; i < times.size(); ++i) out.Set(i, milliseconds(times[i]));
  return out;
}

}  // namespace

Napi::Object tempoObject(Napi::Env env, const Rhythm& rhythm) {
  Napi::Object out = Napi::Object::New(env);
  Reasons reasons(env);
  setTempo(out, reasons, rhythm);
  Napi::Array alternatives = Napi::Array::New(env);
  if (rhythm.tempi.empty()) {
    setNull(out, reasons, "tempo_half", rhythm.reason);
    setNull(out, reasons, "tempo_double", rhythm.reason);
  } else {
    out.Set("tempo_half", hundredths(rhythm.tempi.front().bpm / 2));
    out.Set("tempo_double", hundredths(rhythm.tempi.front().bpm * 2));
    for (std::size_t i = 1; i < rhythm.tempi.size(); ++i) {
      Napi::Object alternative = Napi::Object::New(env);
      alternative.Set("tempo", hundredths(rhythm.tempi[i].bpm));
      alternative.Set("confidence", thousandths(rhythm.tempi[i].confidence));
      alternatives.Set(static_cast<std::uint32_t>(i - 1), alternative);
    }
  }
  out.Set("alternatives", alternatives);
  reasons.attachTo(out);
  return out;
}

Napi::Object beatgridObject(Napi::Env env, const Rhythm& rhythm) {
  Napi::Object out = Napi::Object::New(env);
  Reasons reasons(env);
  setTempo(out, reasons, rhythm);

  std::vector<double> downbeats;
  Napi::Array positions = Napi::Array::New(env, rhythm.positions.size());
  for (std::uint32_t i = 0; i < rhythm.positions.size(); ++i) {
    positions.Set(i, rhythm.positions[i]);
    if (rhythm.positions[i] == 1) downbeats.push_back(rhythm.beatsS[i]);
  }
  if (downbeats.empty()) {
    setNull(out, reasons, "downbeat", rhythm.reason != nullptr ? rhythm.reason : "no_downbeat");
  } else {
    out.Set("downbeat", milliseconds(downbeats.front()));
  }
  out.Set("beats", timeArray(env, rhythm.beatsS));
  out.Set("positions", positions);
  out.Set("downbeats", timeArray(env, downbeats));

  Napi::Array changes = Napi::Array::New(env, rhythm.tempoChanges.size());
  for (std::uint32_t i = 0; i < rhythm.tempoChanges.size(); ++i) {
    Napi::Object change = Napi::Object::New(env);
    change.Set("time", milliseconds(rhythm.tempoChanges[i].timeS));
    change.Set("tempo", hundredths(rhythm.tempoChanges[i].bpm));
    changes.Set(i, change);
  }
  out.Set("tempo_changes", changes);
  // Null here means "not in doubt", which needs no reason.
  out.Set("bpm_alt",
          rhythm.altBpm ? Napi::Value(Napi::Number::New(env, hundredths(*rhythm.altBpm))) : env.Null());
  reasons.attachTo(out);
  return out;
}

}  // namespace tonearm::binding
