"""From beats to seconds: how steadily a piece is played."""

import numpy as np


def beat_times(rng, score, bpm, manner):
    """Seconds of beats 0…score.beats for a `manner` of playing: machine, band, human or rubato."""
    count = score.beats + 1
    pace = np.ones(count)  # local tempo over the mean one
    beat = np.arange(count)
    if manner == "machine":
        drift = 0.0
    else:
        drift = {
            "band": rng.choice((0.0, 0.004, 0.008)),
            "human": rng.uniform(0.005, 0.02),
            "rubato": rng.uniform(0.01, 0.035),
        }[manner]
    if drift:
        walk = np.cumsum(rng.standard_normal(count) * drift)
        slow = np.convolve(np.pad(walk, 8, "edge"), np.ones(17) / 17, "valid")
        pace *= np.exp(walk - slow + 0.5 * (slow - slow.mean()))
    starts = [score.bars[i].start for i in score.sections] + [score.beats]
    if manner in ("human", "rubato"):
        swell = rng.uniform(0, 0.05) if manner == "human" else rng.uniform(0.03, 0.14)
        close = rng.uniform(0, 0.06) if manner == "human" else rng.uniform(0.05, 0.3)
        for a, b in zip(starts[:-1], starts[1:]):
            inside = (beat >= a) & (beat < b)
            x = (beat[inside] - a) / (b - a)
            tail = np.maximum(0, 1 - (b - 1 - beat[inside]) / 4)
            pace[inside] *= (1 + swell * np.sin(np.pi * x)) / (1 + close * tail**2)
    if rng.random() < 0.05 and len(score.sections) > 2:  # a new tempo from one section on
        pace[beat >= starts[len(score.sections) // 2]] *= float(np.exp(rng.uniform(-0.3, 0.3)))
    elif rng.random() < 0.04:  # a steady accelerando or ritardando
        pace *= np.exp(np.linspace(0, rng.uniform(-0.3, 0.3), count))
    return np.concatenate([[0.0], np.cumsum(60 / bpm / pace)])[:count]


def to_seconds(times, beat):
    """Linear between beats, extrapolated at both ends."""
    beat = np.asarray(beat, float)
    index = np.clip(np.floor(beat).astype(int), 0, len(times) - 2)
    return times[index] + (beat - index) * (times[index + 1] - times[index])
