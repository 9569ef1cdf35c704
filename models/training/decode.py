"""Beats and downbeats from activations: a bar-pointer model after Böck, Krebs and Widmer (ISMIR 2016), in
numpy.

The program's own decoder is core/rhythm; this one measures networks where they are trained.
"""

import numpy as np
from scipy.ndimage import maximum_filter1d

from features import FRAME_RATE

NEAR = (
    2  # frames either side of a beat on which nothing is asked of the activation: peaks are some frames wide
)
NONE, BEAT, DOWNBEAT, ANYTHING = range(4)


class BarModel:
    """All positions of a bar of `beats` beats at every tempo, one frame apart."""

    def __init__(self, beats, bpm=(50.0, 225.0), steadiness=100.0):
        low, high = 60 * FRAME_RATE / bpm[1], 60 * FRAME_RATE / bpm[0]
        self.intervals = np.arange(int(np.floor(low)), int(np.ceil(high)) + 1)
        self.beats = beats
        ratio = self.intervals[None, :] / self.intervals[:, None]  # from row to column
        change = np.exp(-steadiness * np.abs(ratio - 1))
        self.change = np.log(change / change.sum(1, keepdims=True) + 1e-300).astype(np.float32)
        per_beat = self.intervals.sum()
        starts = np.concatenate([[0], np.cumsum(self.intervals)[:-1]])
        self.first = np.array(
            [b * per_beat + starts for b in range(beats)]
        )  # (beats, tempi): state at the beat
        self.last = self.first + self.intervals - 1
        self.states = beats * per_beat
        inside = np.concatenate([np.minimum(np.arange(n), n - np.arange(n)) for n in self.intervals])
        kind = np.where(inside == 0, BEAT, np.where(inside <= NEAR, ANYTHING, NONE))
        self.kind = np.tile(kind, beats)
        self.kind[:per_beat][kind == BEAT] = DOWNBEAT

    def decode(self, activation):
        """(log probability a frame, [(frame, place in the bar)])."""
        beat, down = np.clip(maximum_filter1d(activation, 3, axis=1), 1e-3, 1 - 1e-3)
        down = np.minimum(down, 0.98 * beat)
        rows = [1 - np.clip(activation[0], 1e-3, 1 - 1e-3), beat - down, down, np.ones_like(beat)]
        observed = np.log(np.stack(rows, 1)).astype(np.float32)
        frames = len(observed)
        score = observed[0][self.kind] - np.log(self.states)
        back = np.zeros((frames, self.beats, len(self.intervals)), np.int16)
        moved = np.empty_like(score)
        columns = np.arange(len(self.intervals))
        for t in range(1, frames):
            moved[1:] = score[:-1]
            for b in range(self.beats):
                arriving = score[self.last[b - 1]][:, None] + self.change
                best = arriving.argmax(0)
                back[t, b] = best
                moved[self.first[b]] = arriving[best, columns]
            score = moved + observed[t][self.kind]
            moved = np.empty_like(score)
        state = int(score.argmax())
        total, path = float(score.max()) / frames, []
        lookup = {int(s): (b, i) for b, row in enumerate(self.first) for i, s in enumerate(row)}
        for t in range(frames - 1, -1, -1):
            if state in lookup:
                b, i = lookup[state]
                path.append((t, b + 1))
                state = int(self.last[b - 1][back[t, b, i]])
            else:
                state -= 1
        return total, path[::-1]


def _sharpen(frame, activation):
    """Move a beat to the nearby maximum of the activation."""
    low = max(0, frame - 2)
    return low + int(np.argmax(activation[low : frame + 3]))


def decode(activation, models):
    """(seconds, place in the bar) rows of the likeliest of the `models`."""
    _, path = max((model.decode(activation) for model in models), key=lambda result: result[0])
    rows = [(_sharpen(t, activation[0]) / FRAME_RATE, place) for t, place in path]
    return np.array(rows).reshape(-1, 2)
