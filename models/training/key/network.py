"""The key network: equivariant under transposition, because every layer is a circular convolution over pitch classes.

Input: (batch, time, 3 registers, 12 pitch classes) of KeyBlocks, normalised by `normalised`. Layers:
  chords       each block alone, 12 x 3 inputs to `chord_types` features a pitch class (which chord, on which root)
  progressions three blocks in a row, `chord_types` to `moves` features
  pooling      means over time: of the input, and of the progressions over the whole, the first and the last 9 seconds
  key          one hidden layer, then two scores a pitch class: major and minor
A piece transposed by n semitones gives the same scores, rotated by n; nothing has to be learned twelve times.
"""
import torch
import torch.nn.functional as F
from torch import nn

EDGE_BLOCKS = 12  # 9 s


def normalised(blocks):
    """Each block to unit sum, but blocks much softer than the piece stay soft."""
    total = blocks.sum((1, 2), keepdims=True)
    return blocks / (total + 0.25 * total.mean() + 1e-9) * 3


def around_the_octave(x, blocks=0):
    return F.pad(torch.cat([x, x[..., :11]], -1), (0, 0, blocks, blocks))


class KeyNetwork(nn.Module):
    def __init__(self, chord_types=10, moves=10, hidden=14):
        super().__init__()
        self.chords = nn.Conv2d(3, chord_types, (1, 12))
        self.progressions = nn.Conv2d(chord_types, moves, (3, 12))
        self.hidden = nn.Conv2d(3 + 3 * moves, hidden, (1, 12))
        self.scores = nn.Conv2d(hidden, 2, (1, 12))

    def forward(self, x, mask, edges=True):
        """24 scores: C … B major, C … B minor. `mask` (batch, time) is 1 where there is sound to judge."""
        x = x.permute(0, 2, 1, 3)
        chords = F.relu(self.chords(around_the_octave(x))) * mask[:, None, :, None]
        moves = F.relu(self.progressions(around_the_octave(chords, 1)))
        index, length = torch.arange(x.shape[2])[None], mask.sum(1, keepdim=True)
        first = mask * (index < EDGE_BLOCKS) if edges else mask
        last = mask * (index >= length - EDGE_BLOCKS) if edges else mask

        def mean(value, weight):
            return (value * weight[:, None, :, None]).sum(2, keepdim=True) / weight.sum(1)[:, None, None, None]

        pooled = torch.cat([mean(x, mask), mean(moves, mask), mean(moves, first), mean(moves, last)], 1)
        return self.scores(around_the_octave(F.relu(self.hidden(around_the_octave(pooled))))).reshape(len(x), 24)
