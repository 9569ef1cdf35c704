"""What happens to music between the instruments and the file: room, equaliser, saturation, compression,
noise, codec.
"""

import subprocess

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.ndimage import uniform_filter1d

from soundbank import SAMPLE_RATE


def _room(rng):
    """A synthetic impulse response: direct sound, a few reflections, exponentially decaying noise that
    darkens.
    """
    decay = np.exp(rng.uniform(np.log(0.15), np.log(2.2)))  # seconds to −60 dB
    count = int(min(decay, 1.5) * SAMPLE_RATE)
    t = np.arange(count) / SAMPLE_RATE
    tail = rng.standard_normal(count) * np.exp(-6.9 * t / decay)
    tail = uniform_filter1d(tail, int(rng.integers(1, 7)))
    tail[: int(rng.uniform(0.001, 0.03) * SAMPLE_RATE)] = 0
    tail *= rng.uniform(0.05, 0.9) / np.sqrt(np.sum(tail**2))
    for _ in range(6):
        tail[int(rng.uniform(0.002, 0.04) * SAMPLE_RATE) % count] += rng.normal(0, 0.15)
    tail[0] = 1.0
    return tail


def _equaliser(rng, frequency):
    """Amplitude response: tilt, two to four bands, sometimes band limits."""
    octave = np.log2(np.maximum(frequency, 20) / 1000)
    decibel = rng.uniform(-3, 3) * octave
    for _ in range(rng.integers(2, 5)):
        centre, width = rng.uniform(-4, 3.4), rng.uniform(0.3, 1.5)
        decibel = decibel + rng.uniform(-10, 8) * np.exp(-(((octave - centre) / width) ** 2))
    gain = 10 ** (decibel / 20)
    if rng.random() < 0.3:
        gain /= 1 + (frequency / np.exp(rng.uniform(np.log(2000), np.log(9000)))) ** int(rng.integers(2, 9))
    if rng.random() < 0.25:
        gain *= (frequency / (frequency + rng.uniform(40, 250))) ** 2
    return gain


def _compress(rng, samples):
    """Gain from a smoothed level, ratio 1.5–6."""
    level = np.sqrt(uniform_filter1d(samples**2, int(rng.uniform(0.01, 0.2) * SAMPLE_RATE)) + 1e-7)
    threshold = np.quantile(level, rng.uniform(0.2, 0.8))
    return samples * np.minimum(1, threshold / level) ** (1 - 1 / rng.uniform(1.5, 6))


def _noise(rng, count):
    kind = rng.random()
    noise = rng.standard_normal(count).astype(np.float32)
    if kind < 0.4:  # brown: rooms, rumble
        noise = uniform_filter1d(noise, int(rng.integers(3, 40)))
    elif kind < 0.6:  # a crowd: noise whose level wanders
        slow = np.interp(
            np.arange(count),
            np.arange(0, count + 4000, 4000),
            rng.uniform(0.2, 1, len(range(0, count + 4000, 4000))),
        )
        noise = uniform_filter1d(noise, 3) * slow
    return noise / (np.std(noise) + 1e-9)


def _codec(rng, samples):
    """There and back through a lossy codec; its delay is removed."""
    kind = ("mp3", "vorbis", "aac")[rng.integers(3)]
    rate = int(rng.choice((32, 48, 64, 96)))
    encoder, box = {"mp3": ("libmp3lame", "mp3"), "vorbis": ("libvorbis", "ogg"), "aac": ("aac", "adts")}[
        kind
    ]
    raw = ["-f", "s16le", "-ar", str(SAMPLE_RATE), "-ac", "1"]
    base = ["ffmpeg", "-v", "error", "-threads", "1"]
    quality = ["-q:a", str(rate // 32)] if box == "ogg" else ["-b:a", f"{rate}k"]
    encode = [*base, *raw, "-i", "-", "-c:a", encoder, *quality, "-f", box, "-"]
    decode = [*base, "-f", "aac" if box == "adts" else box, "-i", "-", *raw, "-"]
    pcm = (np.clip(samples, -1, 1) * 32767).astype(np.int16)
    coded = subprocess.run(encode, input=pcm.tobytes(), capture_output=True, check=True).stdout
    back = np.frombuffer(
        subprocess.run(decode, input=coded, capture_output=True, check=True).stdout, np.int16
    )
    back = back.astype(np.float32) / 32768
    lag = _lag(samples, back)
    back = back[lag:] if lag >= 0 else np.concatenate([np.zeros(-lag, np.float32), back])
    out = np.zeros(len(samples), np.float32)
    out[: min(len(out), len(back))] = back[: len(out)]
    return out


def _lag(a, b):
    """Samples by which b trails a."""
    count = min(len(a), len(b), 8 * SAMPLE_RATE)
    size = next_fast_len(2 * count, True)
    cross = irfft(np.conj(rfft(a[:count], size)) * rfft(b[:count], size), size)
    reach = 4096
    window = np.concatenate([cross[-reach:], cross[:reach]])
    return int(np.argmax(window)) - reach


def colour(rng, samples):
    """A mastered, recorded, perhaps coded version of the clip, peak at a random level below 1."""
    count = len(samples)
    samples = samples / (np.abs(samples).max() + 1e-9)
    if rng.random() < 0.4:
        samples = _compress(rng, samples)
    room = _room(rng) if rng.random() < 0.65 else np.ones(1)
    size = next_fast_len(count + len(room), True)
    spectrum = rfft(samples, size) * rfft(room, size)
    spectrum *= _equaliser(rng, np.fft.rfftfreq(size, 1 / SAMPLE_RATE))
    samples = irfft(spectrum, size)[:count].astype(np.float32)
    samples /= np.abs(samples).max() + 1e-9
    if rng.random() < 0.45:
        drive = np.exp(rng.uniform(0, np.log(6)))
        samples = np.tanh(drive * samples) / np.tanh(drive)
    if rng.random() < 0.6:
        samples = samples + _noise(rng, count) * 10 ** (rng.uniform(-85, -32) / 20)
    if rng.random() < 0.15:  # faded in or out, or turned up
        samples = samples * np.interp(
            np.arange(count), np.sort(rng.uniform(0, count, 2)), rng.uniform(0.1, 1, 2)
        ).astype(np.float32)
    samples = samples / (np.abs(samples).max() + 1e-9) * 10 ** (rng.uniform(-14, 0) / 20)
    if rng.random() < 0.08:
        samples = _codec(rng, samples)
    return samples.astype(np.float32)
