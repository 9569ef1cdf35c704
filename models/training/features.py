"""The network's input: 64 mel bands of log magnitude, 50.11 frames a second. native/tools/rhythm_features.cpp
prints the same numbers; the program computes them in core/rhythm.
"""

import numpy as np
from scipy.fft import rfft

SAMPLE_RATE, HOP, WINDOW, BANDS = 22050, 440, 1024, 64
FRAME_RATE = SAMPLE_RATE / HOP


def mel_matrix():
    """(bands, bins): triangles of peak 1, equally spaced on the mel scale of HTK from 30 Hz to 10.5 kHz."""

    def mel(hz):
        return 2595 * np.log10(1 + hz / 700)

    edges = 700 * (10 ** (np.linspace(mel(30.0), mel(10500.0), BANDS + 2) / 2595) - 1)
    hz = np.arange(WINDOW // 2 + 1) * SAMPLE_RATE / WINDOW
    low, mid, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.maximum(0, np.minimum((hz - low) / (mid - low), (high - hz) / (high - mid))).astype(np.float32)


_MEL = mel_matrix()
_HANN = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)


def features(samples):
    """float32 (frames, bands) of mono samples at 22050 Hz; frame k is centred on sample k·HOP."""
    count = -(-len(samples) // HOP)
    padded = np.zeros(count * HOP + 2 * WINDOW, np.float32)
    padded[WINDOW // 2 : WINDOW // 2 + len(samples)] = samples
    frames = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP][:count]
    rows = [np.abs(rfft(frames[i : i + 256] * _HANN)) @ _MEL.T for i in range(0, count, 256)]
    return np.log1p(np.concatenate(rows) * (1000 * 2 / _HANN.sum())).astype(np.float32)
