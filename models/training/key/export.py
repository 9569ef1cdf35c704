"""Writes a trained key network as the C++ table native/core/tonal/key_weights.cpp: 8-bit integers, one scale a layer."""
import numpy as np

HEADER = """// Made by models/training/key/train.py; do not edit.
#include "core/tonal/key_weights.hpp"

namespace tonearm::key_weights {

// clang-format off
"""


def quantised(tensor):
    values = tensor.detach().numpy()
    scale = float(np.abs(values).max()) / 127
    return np.round(values / scale).astype(int), scale


def round_trip(network):
    """Replaces the weights by what the table will hold."""
    import torch
    with torch.no_grad():
        for layer in (network.chords, network.progressions, network.hidden, network.scores):
            values, scale = quantised(layer.weight)
            layer.weight.copy_(torch.from_numpy(values * scale))


def write(path, network, temperature):
    lines = [HEADER, f"const float kTemperature = {temperature:.4f}F;\n"]
    for name in ("chords", "progressions", "hidden", "scores"):
        layer = getattr(network, name)
        values, scale = quantised(layer.weight)
        bias = ", ".join(f"{v:.6g}F" if "." in f"{v:.6g}" or "e" in f"{v:.6g}" else f"{v:.6g}.0F"
                         for v in layer.bias.tolist())
        lines.append(f"\nnamespace {{\nconst std::int8_t {name}Weights[] = {{")
        flat = values.reshape(-1)
        for i in range(0, len(flat), 24):
            lines.append("    " + ",".join(str(v) for v in flat[i:i + 24]) + ",")
        lines.append(f"}};\nconst float {name}Bias[] = {{{bias}}};\n}}  // namespace")
        lines.append(f"const Layer {name}{{{name}Weights, {scale:.8g}F, {name}Bias}};")
    lines.append("\n// clang-format on\n}  // namespace tonearm::key_weights\n")
    with open(path, "w") as out:
        out.write("\n".join(lines))
