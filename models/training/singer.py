"""A voice: glottal pulses on the melody with vibrato and glides, through vowels, with consonants before the
notes.
"""

import numpy as np
from scipy.signal import lfilter

from soundbank import SAMPLE_RATE

# First three formants in Hz of sung vowels.
VOWELS = (
    (750, 1150, 2600),
    (500, 1800, 2500),
    (310, 2200, 2900),
    (480, 900, 2500),
    (340, 750, 2400),
    (620, 1500, 2500),
)


def _resonate(samples, frequency, width):
    r = np.exp(-np.pi * width / SAMPLE_RATE)
    angle = 2 * np.pi * frequency / SAMPLE_RATE
    return lfilter([1 - r], [1, -2 * r * np.cos(angle), r * r], samples)


def sing(rng, notes, length):
    """`notes`: (onset s, duration s, MIDI pitch, gain), in order of onset. Returns `length` samples."""
    out = np.zeros(length, np.float32)
    stretch = rng.uniform(0.9, 1.2)  # size of the vocal tract
    vibrato_hz, vibrato_depth = rng.uniform(4.5, 6.5), rng.uniform(0, 0.5)
    breath, brightness, attack = rng.uniform(0.0, 0.15), rng.uniform(0.3, 0.9), rng.uniform(0.015, 0.07)
    previous = None
    for onset, duration, pitch, gain in notes:
        duration = min(max(duration, 0.09), 4.0)
        count = int((duration + 0.06) * SAMPLE_RATE)
        t = np.arange(count) / SAMPLE_RATE
        glide = (
            (previous - pitch) * np.exp(-t / 0.03)
            if previous is not None and rng.random() < 0.6
            else -0.7 * np.exp(-t / 0.04)
        )
        bend = (
            glide
            + vibrato_depth * np.minimum(1, t / 0.4) * np.sin(2 * np.pi * vibrato_hz * t)
            + 0.05 * rng.standard_normal()
        )
        phase = np.cumsum(440 * 2 ** ((pitch - 69 + bend) / 12) / SAMPLE_RATE) % 1
        source = (2 * phase - 1) * brightness + np.sin(2 * np.pi * phase) * (1 - brightness)
        source = source + breath * rng.standard_normal(count)
        vowel = VOWELS[rng.integers(len(VOWELS))]
        voiced = sum(
            _resonate(source, f * stretch, 80 + 0.04 * f) * g for f, g in zip(vowel, (1.0, 0.6, 0.35))
        )
        envelope = np.minimum(1, t / attack) * np.minimum(1, np.maximum(0, (duration - t) / 0.05))
        voiced = voiced * envelope * gain
        _add(out, voiced, onset)
        if rng.random() < 0.6:  # a consonant; the vowel, not it, lies on the beat
            size = int(rng.uniform(0.02, 0.09) * SAMPLE_RATE)
            hiss = np.diff(rng.standard_normal(size + 1)) * np.hanning(size) * gain * rng.uniform(0.02, 0.2)
            _add(out, hiss, onset - size / SAMPLE_RATE)
        previous = pitch
    peak = np.abs(out).max()
    return out / peak * 0.35 if peak > 0 else out


def _add(out, samples, onset):
    start = int(onset * SAMPLE_RATE)
    skip = max(0, -start)
    end = min(len(out), start + len(samples))
    if end > start + skip:
        out[start + skip : end] += samples[skip : end - start]
