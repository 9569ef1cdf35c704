"""Trains the key network on what chroma_dump made of the renders, calibrates it, writes the C++ table.

    train.py OUT.cpp FOLDER…      each FOLDER with labels-*.tsv (render.py) and *.chroma (chroma_dump)

POP909 songs whose number ends in 7 are for the accuracy bench and are left out; those ending in 3 calibrate. Generated
songs are split by their own number in the same way.
"""
import glob
import sys

import numpy as np
import torch
import torch.nn.functional as F

import export
from network import KeyNetwork, normalised

EPOCHS, BATCH = 40, 32
CAUTION = 1.25


def load(folders):
    """(name, blocks, key 0-23, 'train' | 'calibrate' | 'test')"""
    songs = []
    for folder in folders:
        for line in (l for f in sorted(glob.glob(f"{folder}/labels-*.tsv")) for l in open(f)):
            name, song, tonic, minor, _ = line.rstrip("\n").split("\t")
            blocks = np.fromfile(f"{folder}/{name}.chroma", np.float32).reshape(-1, 3, 12)
            number = int(name[-4:] if song == "generated" else song) % 10
            part = {7: "test", 3: "calibrate"}.get(number, "train")
            if len(blocks) >= 20:
                songs.append((name, blocks, int(tonic) + 12 * int(minor), part))
    return songs


def disturbed(blocks, rng):
    """What real recordings add to rendered ones: other balances, resonances, vibrato and glides that smear pitch
    classes into their neighbours, noise, a missing bass, reverberation; and other lengths."""
    blocks = blocks.copy()
    if rng.random() < 0.6:
        share = rng.uniform(0, 0.3)
        blocks = (1 - share) * blocks + share / 2 * (np.roll(blocks, 1, 2) + np.roll(blocks, -1, 2))
    blocks *= np.exp(rng.normal(0, 0.6, (1, 3, 1)))
    blocks *= np.exp(rng.normal(0, 0.25, (1, 3, 12)))
    blocks *= np.exp(rng.normal(0, rng.uniform(0, 0.5), blocks.shape))
    if rng.random() < 0.5:
        blocks += rng.exponential(1, blocks.shape) * blocks.mean((0, 2), keepdims=True) * rng.uniform(0, 1.2)
    if rng.random() < 0.15:
        blocks[:, 0] *= 0.05
    if rng.random() < 0.3:
        blocks = (blocks + np.roll(blocks, 1, 0)) / 2
    if rng.random() < 0.5 and len(blocks) > 30:
        length = rng.integers(16, len(blocks))
        start = rng.integers(0, len(blocks) - length + 1)
        blocks = blocks[start:start + length]
    return blocks


def batch(pieces):
    longest = max(len(p) for p in pieces)
    x, mask = np.zeros((len(pieces), longest, 3, 12), np.float32), np.zeros((len(pieces), longest), np.float32)
    for i, piece in enumerate(pieces):
        x[i, :len(piece)] = normalised(piece)
        mask[i, :len(piece)] = 1
    return torch.from_numpy(x), torch.from_numpy(mask)


def train(songs, seed=1, epochs=EPOCHS, **sizes):
    torch.manual_seed(seed)
    rng, network = np.random.default_rng(seed), KeyNetwork(**sizes)
    keys = np.array([s[2] for s in songs])
    steps = epochs * (len(songs) // BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), 3e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 6e-3, total_steps=steps + 1)
    for _ in range(epochs):
        order = rng.permutation(len(songs))
        for i in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[i:i + BATCH]
            x, mask = batch([disturbed(songs[j][1], rng) for j in chosen])
            scores = network(x, mask, edges=rng.random() < 0.7)  # many songs fade in or out
            loss = F.cross_entropy(scores, torch.from_numpy(keys[chosen]), label_smoothing=0.03)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return network


def log_odds(network, pieces):
    with torch.no_grad():
        return torch.cat([network(*batch([p])) for p in pieces])


def mirex(estimate, reference):
    (tonic, minor), (true_tonic, true_minor) = ((k % 12, k // 12) for k in (estimate, reference))
    if estimate == reference:
        return 1.0
    if minor == true_minor:
        return 0.5 if (tonic - true_tonic) % 12 == 7 else 0.0
    if tonic == true_tonic:
        return 0.2
    return 0.3 if (tonic - true_tonic) % 12 == (9 if minor else 3) else 0.0


def report(scores, songs):
    table = {}
    for score, (name, _, key, _) in zip(scores, songs):
        best = int(score.argmax())
        for row in (name.split("-")[0], "all"):
            table.setdefault(row, []).append((mirex(best, key), best == key))
    return {row: tuple(np.round(np.mean(v, 0), 3)) + (len(v),) for row, v in sorted(table.items())}


def calibrated_temperature(network, songs, seed=7):
    """The temperature under which held-out songs, disturbed as hard as in training, come true; and some more, because
    real recordings are harder still."""
    rng = np.random.default_rng(seed)
    pieces, keys = [], []
    for _ in range(3):
        pieces += [disturbed(s[1], rng) for s in songs]
        keys += [s[2] for s in songs]
    scores, keys = log_odds(network, pieces), torch.tensor(keys)
    temperatures = np.arange(0.6, 3, 0.05)
    return CAUTION * float(min(temperatures, key=lambda t: F.cross_entropy(scores / t, keys).item()))


def main():
    out, folders = sys.argv[1], sys.argv[2:]
    torch.set_num_threads(1)
    songs = load(folders)
    network = train([s for s in songs if s[3] == "train"])
    export.round_trip(network)
    kept = [s for s in songs if s[3] == "calibrate"]
    export.write(out, network, calibrated_temperature(network, kept))
    for part in ("calibrate", "test"):
        chosen = [s for s in songs if s[3] == part]
        print(part, report(log_odds(network, [s[1] for s in chosen]).numpy(), chosen))


if __name__ == "__main__":
    main()
