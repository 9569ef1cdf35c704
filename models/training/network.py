"""The beat network: features (frames, 64) to logits (2, frames) of beat and downbeat.

A convolutional front end at the feature rate reads onsets and timbre; a dilated convolutional network (Davies
and Böck 2019) at a quarter of that rate, where a wide context is cheap, reads tempo and metre; its channels
are dealt out to the four frames they stand for, and a last convolution joins both for exact places. Batch
norms fold into the convolutions before them (export.py), so what ships is convolutions, ReLUs and additions
only.
"""

import torch
from torch import nn

BANDS = 64
FRONT, SECOND, WIDTH, DEEP = 16, 32, 32, 64
POOL = 4  # frames a deep step
DILATIONS = (1, 2, 4, 8, 16, 32, 64, 2)


def conv_norm(conv, channels):
    return nn.Sequential(conv, (nn.BatchNorm2d if isinstance(conv, nn.Conv2d) else nn.BatchNorm1d)(channels))


class Block(nn.Module):
    """x + W · relu(dilated convolution of x)."""

    def __init__(self, dilation):
        super().__init__()
        wide = nn.Conv1d(DEEP, DEEP, 5, dilation=dilation, padding=2 * dilation, bias=False)
        self.wide = conv_norm(wide, DEEP)
        self.mix = conv_norm(nn.Conv1d(DEEP, DEEP, 1, bias=False), DEEP)

    def forward(self, x):
        return x + self.mix(torch.relu(self.wide(x)))


class BeatNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(1, FRONT, (3, 7), stride=(1, 3), padding=(1, 0))
        self.second = conv_norm(
            nn.Conv2d(FRONT, SECOND, (3, 4), stride=(1, 4), padding=(1, 0), bias=False), SECOND
        )
        self.dense = conv_norm(nn.Conv1d(SECOND * 5, WIDTH, 1, bias=False), WIDTH)
        self.local = conv_norm(nn.Conv1d(WIDTH, WIDTH, 5, padding=2, bias=False), WIDTH)
        self.down = conv_norm(nn.Conv1d(WIDTH * POOL, DEEP, 1, bias=False), DEEP)
        self.blocks = nn.ModuleList(Block(dilation) for dilation in DILATIONS)
        self.up = conv_norm(nn.Conv1d(DEEP, WIDTH * POOL, 1, bias=False), WIDTH * POOL)
        self.join = conv_norm(nn.Conv1d(2 * WIDTH, WIDTH, 3, padding=1, bias=False), WIDTH)
        self.out = nn.Conv1d(WIDTH, 2, 1)

    def forward(self, features):
        """(batch, frames, 64) → (batch, 2, frames); frames a multiple of POOL."""
        batch, frames, _ = features.shape
        x = features[:, None].contiguous(memory_format=torch.channels_last)  # twice as fast with few channels
        x = torch.relu(self.first(x))
        x = torch.relu(self.second(x))  # batch, SECOND, frames, 5
        x = x.permute(0, 1, 3, 2).reshape(batch, SECOND * 5, frames)
        x = torch.relu(self.dense(x))
        local = x + torch.relu(self.local(x))
        # Channel c of frame 4k + j becomes channel 4c + j of step k.
        deep = local.reshape(batch, WIDTH, frames // POOL, POOL).permute(0, 1, 3, 2)
        deep = torch.relu(self.down(deep.reshape(batch, WIDTH * POOL, frames // POOL)))
        for block in self.blocks:
            deep = block(deep)
        wide = torch.relu(self.up(torch.relu(deep))).reshape(batch, WIDTH, POOL, frames // POOL)
        wide = wide.permute(0, 1, 3, 2).reshape(batch, WIDTH, frames)
        return self.out(torch.relu(self.join(torch.cat([local, wide], 1))))
