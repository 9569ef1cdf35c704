"""A score at given beat times becomes sound: baked notes added part by part, two buses, side-chained where
dance music is.
"""

import numpy as np

from singer import sing
from soundbank import NOTE_S, SAMPLE_RATE, SOUNDFONTS
from synth_drums import make_kit
from timing import to_seconds

JITTER_S = {
    "machine": (0.0, 0.0, 0.004),
    "band": (0.004, 0.008, 0.013),
    "human": (0.006, 0.012, 0.018),
    "rubato": (0.008, 0.014, 0.02),
}


def _held(note, samples):
    """The baked note, made longer where the score holds it past its end."""
    if samples <= len(note):
        return note[:samples]
    if len(note) < 0.95 * NOTE_S * SAMPLE_RATE:  # it died away by itself
        return note
    loop = note[SAMPLE_RATE : len(note) - 200]
    fade = SAMPLE_RATE // 4
    ramp = np.linspace(0, 1, fade, dtype=np.float32)
    joined = np.concatenate(
        [
            note[: len(note) - 200 - fade],
            note[len(note) - 200 - fade : len(note) - 200] * (1 - ramp) + loop[:fade] * ramp,
        ]
    )
    while len(joined) < samples:
        joined = np.concatenate(
            [joined[:-fade], joined[-fade:] * (1 - ramp) + loop[:fade] * ramp, loop[fade:]]
        )
    return joined[:samples]


def _add(out, samples, start, gain):
    skip = max(0, -start)
    end = min(len(out), start + len(samples))
    if end > start + skip:
        out[start + skip : end] += gain * samples[skip : end - start]


class Mixer:
    def __init__(self, rng, bank, times, offset_s, length, manner):
        """`times`: seconds of the beats; the clip is the `length` samples from `offset_s` on."""
        self.rng, self.bank, self.times, self.offset, self.length = rng, bank, times, offset_s, length
        self.manner = manner
        self.font = int(rng.integers(len(SOUNDFONTS)))
        self.detune = rng.uniform(-0.5, 0.5) if rng.random() < 0.5 else 0.0
        self.transpose = 0

    def mix(self, score):
        rng = self.rng
        drums, tuned = np.zeros(self.length, np.float32), np.zeros(self.length, np.float32)
        kicks = []
        for part in score.parts:
            if not part.notes:
                continue
            choice = JITTER_S[self.manner]
            jitter, lag = choice[rng.integers(3)], rng.normal(0, 0.004) if self.manner != "machine" else 0.0
            onsets = to_seconds(self.times, [n.beat for n in part.notes]) - self.offset + lag
            onsets = onsets + jitter * rng.standard_normal(len(onsets))
            ends = to_seconds(self.times, [n.beat + n.duration for n in part.notes]) - self.offset
            if part.drums:
                kicks += self._drums(part, onsets, drums)
            elif part.program < 0:
                self._voice(part, onsets, ends, tuned)
            else:
                self._notes(part, onsets, ends, tuned)
        if kicks and self.manner == "machine" and rng.random() < 0.3:
            tuned *= self._duck(kicks)
        balance = float(np.exp(rng.uniform(np.log(0.2), np.log(1.5))))
        return self._level(drums) * balance + self._level(tuned)

    def _level(self, bus):
        loud = np.sqrt(np.mean(bus**2))
        return bus * (0.1 / loud) if loud > 1e-6 else bus

    def _notes(self, part, onsets, ends, out):
        rng = self.rng
        font = self.font if rng.random() < 0.7 else int(rng.integers(len(SOUNDFONTS)))
        release = rng.uniform(0.04, 0.3)
        strum = rng.uniform(0.0, 0.022) if rng.random() < 0.4 else 0.0
        tail = np.exp(-np.arange(int(4 * release * SAMPLE_RATE)) / (release * SAMPLE_RATE)).astype(np.float32)
        last, rank = -1.0, 0
        for note, onset, end in zip(part.notes, onsets, ends):
            if end < -0.5 or onset > self.length / SAMPLE_RATE:
                continue
            rank = rank + 1 if note.beat == last else 0
            last = note.beat
            sound = self.bank.note(font, part.program, note.pitch + self.transpose, self.detune)
            if sound is None:
                continue
            held = int(max(0.03, end - onset) * SAMPLE_RATE)
            body = _held(sound, held + len(tail))
            if len(body) > held:
                body = body.copy()
                body[held:] *= tail[: len(body) - held]
            _add(
                out,
                body,
                int((onset + strum * rank) * SAMPLE_RATE),
                part.level * max(0.1, note.velocity) ** 1.5,
            )

    def _drums(self, part, onsets, out):
        rng, kicks = self.rng, []
        kit = make_kit(rng) if part.program < 0 or rng.random() < 0.1 else {}
        program, detune = max(part.program, 0), rng.uniform(-2.5, 2.5)
        trim = {key: rng.uniform(0.5, 1.5) for key in range(27, 88)}
        for note, onset in zip(part.notes, onsets):
            if onset < -2 or onset > self.length / SAMPLE_RATE:
                continue
            sound = kit.get(note.pitch)
            if sound is None:
                sound = self.bank.drum(self.font, program, note.pitch, detune)
            if sound is None:
                continue
            _add(
                out,
                sound,
                int(onset * SAMPLE_RATE),
                part.level * trim[note.pitch] * max(0.08, note.velocity) ** 1.7,
            )
            if note.pitch in (35, 36):
                kicks.append(onset)
        return kicks

    def _voice(self, part, onsets, ends, out):
        rng = self.rng
        span = self.length / SAMPLE_RATE
        late = rng.uniform(-0.01, 0.03)
        chosen = [
            (float(a) + late, float(b - a), n.pitch + self.transpose + self.detune, max(0.1, n.velocity))
            for n, a, b in zip(part.notes, onsets, ends)
            if -1 < a < span
        ]
        out += part.level * sing(rng, sorted(chosen), self.length)

    def _duck(self, kicks):
        rng = self.rng
        gain = np.ones(self.length, np.float32)
        depth, shape = rng.uniform(0.4, 0.95), np.exp(
            -np.arange(SAMPLE_RATE // 3) / (rng.uniform(0.05, 0.15) * SAMPLE_RATE)
        )
        for onset in kicks:
            start = max(0, int(onset * SAMPLE_RATE))
            piece = gain[start : start + len(shape)]
            np.minimum(piece, 1 - depth * shape[: len(piece)], out=piece)
        return gain
