"""Rendered clips as training batches."""

import glob
import os

import numpy as np
import torch
from scipy.signal import lfilter

from features import BANDS, FRAME_RATE
from render import is_validation

FRAMES = 1024  # of a training excerpt, 20 s
TARGET_HALF_WIDTH = 2.0  # frames


def load_clips(folder, validation, worker=0, workers=1, limit=None):
    """(features float16 (clips, frames, 64), beats float32 (clips, n, 2): seconds and place in the bar,
    NaN-padded, styles), of this worker's chunks.
    """
    names = sorted(name for name in glob.glob(os.path.join(folder, "*.npz")) if ".part." not in name)
    names = [n for n in names if is_validation(int(os.path.basename(n)[:5])) == validation][worker::workers][
        :limit
    ]
    chunks = [np.load(name) for name in names]
    return tuple(np.concatenate([chunk[key] for chunk in chunks]) for key in ("features", "beats", "styles"))


def targets(beats, frames, first_frame=0):
    """(2, frames): a triangle on every beat, and on every downbeat."""
    grid = np.zeros((2, frames), np.float32)
    for seconds, place in beats[~np.isnan(beats[:, 0])]:
        centre = seconds * FRAME_RATE - first_frame
        low = max(0, int(np.ceil(centre - TARGET_HALF_WIDTH)))
        near = np.arange(low, max(low, min(frames, int(centre + TARGET_HALF_WIDTH) + 1)))
        height = 1 - np.abs(near - centre) / TARGET_HALF_WIDTH
        for row in range(2 if place == 1 else 1):
            grid[row, near] = np.maximum(grid[row, near], height)
    return grid


def augment(rng, grid, other):
    """Another level, another equaliser, perhaps a missing band, blurred onsets, an `other` clip faintly
    behind.

    Levels and sums are exact or nearly so, since features are log(1 + 1000 m).
    """
    knots = rng.standard_normal(6) * 3
    decibel = rng.uniform(-12, 10) + np.interp(np.linspace(0, 5, BANDS), np.arange(6), knots)
    magnitude = np.expm1(grid)
    if rng.random() < 0.3:
        magnitude = magnitude + np.expm1(other) * 10 ** (rng.uniform(-26, -9) / 20)
    if rng.random() < 0.15:
        keep = rng.uniform(0.3, 0.8)
        magnitude = lfilter([1 - keep], [1, -keep], magnitude, axis=0).astype(np.float32)
    grid = np.log1p(magnitude * (10 ** (decibel / 20)).astype(np.float32))
    if rng.random() < 0.25:
        low = rng.integers(0, BANDS - 4)
        grid[:, low : low + rng.integers(3, 20)] = 0
    return grid


def batch(rng, clips, beats, rows, augmented):
    inputs, wanted = [], []
    for row in rows:
        first = int(rng.integers(0, clips.shape[1] - FRAMES + 1))
        grid = clips[row, first : first + FRAMES].astype(np.float32)
        if augmented:
            other = clips[rng.integers(len(clips)), first : first + FRAMES].astype(np.float32)
            grid = augment(rng, grid, other)
        inputs.append(grid)
        wanted.append(targets(beats[row], FRAMES, first))
    return torch.from_numpy(np.stack(inputs)), torch.from_numpy(np.stack(wanted))
