"""A drum kit synthesised anew for a clip, as drum machines do it: swept sines, filtered noise, clusters of
squares.
"""

import numpy as np
from scipy.signal import lfilter

from soundbank import SAMPLE_RATE


def _time(seconds):
    return np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE


def _highpass(rng, samples, cutoff):
    """First order, twice."""
    a = np.exp(-2 * np.pi * cutoff / SAMPLE_RATE)
    for _ in range(2):
        samples = lfilter([(1 + a) / 2, -(1 + a) / 2], [1, -a], samples)
    return samples


def _kick(rng):
    t = _time(0.5)
    base, sweep, rate = rng.uniform(38, 65), rng.uniform(60, 400), rng.uniform(20, 90)
    phase = 2 * np.pi * (base * t + sweep / rate * (1 - np.exp(-rate * t)))
    body = np.sin(phase) * np.exp(-t * rng.uniform(5, 22))
    click = rng.standard_normal(len(t)) * np.exp(-t * 400) * rng.uniform(0, 0.5)
    return np.tanh(rng.uniform(1, 4) * (body + click))


def _snare(rng):
    t = _time(0.4)
    tone = np.sin(2 * np.pi * rng.uniform(150, 260) * t) * np.exp(-t * rng.uniform(15, 40))
    noise = _highpass(rng, rng.standard_normal(len(t)), rng.uniform(400, 2500)) * np.exp(
        -t * rng.uniform(10, 35)
    )
    return rng.uniform(0.2, 0.9) * tone + 0.5 * noise


def _clap(rng):
    t = _time(0.35)
    envelope = sum(np.where(t >= d, np.exp(-(t - d) * 130), 0) for d in (0.0, 0.009, 0.018))
    envelope = envelope + np.where(t >= 0.026, np.exp(-(t - 0.026) * rng.uniform(15, 40)), 0)
    return 0.5 * _highpass(rng, rng.standard_normal(len(t)), rng.uniform(700, 1800)) * envelope


def _hat(rng, decay):
    t = _time(0.3 if decay > 20 else 0.5)
    base = rng.uniform(280, 520)
    metal = sum(np.sign(np.sin(2 * np.pi * base * r * t)) for r in (2.0, 3.0, 4.16, 5.43, 6.79, 8.21)) / 6
    mix = rng.uniform(0, 1)
    return (
        0.5 * _highpass(rng, mix * metal + (1 - mix) * rng.standard_normal(len(t)), 5500) * np.exp(-t * decay)
    )


def _tom(rng, base):
    t = _time(0.5)
    return np.sin(2 * np.pi * (base * t + base / 20 * (1 - np.exp(-20 * t)))) * np.exp(
        -t * rng.uniform(6, 15)
    )


def _crash(rng):
    t = _time(1.4)
    return 0.5 * _highpass(rng, rng.standard_normal(len(t)), 3000) * np.exp(-t * rng.uniform(2, 5))


def make_kit(rng):
    """Samples by key of the percussion map; keys it lacks come from the soundfont."""
    kick, snare, closed = _kick(rng), _snare(rng), rng.uniform(35, 120)
    rim = _tom(rng, rng.uniform(400, 900))[: SAMPLE_RATE // 8] * 0.5
    kit = {36: kick, 35: _kick(rng), 38: snare, 40: _snare(rng), 39: _clap(rng), 37: rim}
    kit |= {42: _hat(rng, closed), 46: _hat(rng, rng.uniform(6, 16)), 44: _hat(rng, closed * 1.3)}
    kit |= {41: _tom(rng, 80), 43: _tom(rng, 95), 45: _tom(rng, 120), 47: _tom(rng, 150), 48: _tom(rng, 185)}
    kit |= {49: _crash(rng), 57: _crash(rng), 70: _hat(rng, 60), 82: _hat(rng, 60)}
    return {key: samples.astype(np.float32) * 0.5 for key, samples in kit.items()}
