"""Fold the batch norms of trained weights and write what the program loads, what others can read, and a
reference pair.

    export.py --weights RUN/weights.pt --out models/beats [--reference FOLDER]
"""

import argparse
import os
import struct

import numpy as np
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from features import BANDS
from network import POOL, BeatNetwork

MAGIC = b"TONENET1"


def folded(weights):
    """The network with every batch norm inside the convolution before it."""
    network = BeatNetwork()
    network.load_state_dict(torch.load(weights))
    network.eval()
    for owner in network.modules():
        for name, child in list(owner.named_children()):
            if isinstance(child, nn.Sequential) and len(child) == 2:
                setattr(owner, name, fuse_conv_bn_eval(*child))
    return network.eval()


def write_tensors(network, path):
    """`MAGIC`, count; each tensor: name, shape, float32 row-major; little-endian, lengths and dimensions as
    uint32.
    """
    tensors = network.state_dict()
    with open(path, "wb") as out:
        out.write(MAGIC + struct.pack("<I", len(tensors)))
        for name, tensor in tensors.items():
            values = tensor.numpy().astype("<f4")
            out.write(struct.pack("<I", len(name)) + name.encode())
            out.write(struct.pack(f"<{1 + values.ndim}I", values.ndim, *values.shape) + values.tobytes())


def activations(network, features):
    """float32 (2, frames) between 0 and 1 of float features (frames, 64) of any length."""
    frames = len(features)
    padded = np.zeros((-(-frames // POOL) * POOL, BANDS), np.float32)
    padded[:frames] = features
    with torch.no_grad():
        return torch.sigmoid(network(torch.from_numpy(padded)[None]))[0, :, :frames].numpy()


def write_reference(network, folder):
    os.makedirs(folder, exist_ok=True)
    rng = np.random.default_rng(7)
    frames = 4 * 300 + 1
    pulse = np.exp(-(np.arange(frames) % 25)[:, None] / 4)
    features = (pulse * rng.uniform(1, 5, (1, BANDS)) + rng.uniform(0, 0.5, (frames, BANDS))).astype("<f4")
    features.tofile(os.path.join(folder, "features.f32"))
    activations(network, features).astype("<f4").tofile(os.path.join(folder, "activations.f32"))
    with open(os.path.join(folder, "shape.txt"), "w") as out:
        out.write(f"{frames}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--reference")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    network = folded(options.weights)
    write_tensors(network, os.path.join(options.out, "beats.bin"))
    axes = {"features": {1: "frames"}, "logits": {2: "frames"}}
    torch.onnx.export(
        network,
        torch.zeros(1, 400, BANDS),
        os.path.join(options.out, "beats.onnx"),
        input_names=["features"],
        output_names=["logits"],
        dynamic_axes=axes,
        opset_version=13,
    )
    if options.reference:
        write_reference(network, options.reference)


if __name__ == "__main__":
    main()
