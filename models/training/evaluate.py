"""Score a network by what the decoder makes of it: on held-back rendered clips, or on a folder of annotated
recordings.

    evaluate.py --weights RUN/weights.pt --clips CLIPS [--count 200]
    evaluate.py --weights RUN/weights.pt --recordings FOLDER

A recording is NAME.ogg with NAME.beats, whose lines are seconds, a tab, and the place in the bar.
"""

import argparse
import glob
import os
import subprocess
from collections import defaultdict

import numpy as np

from data import load_clips
from decode import BarModel, decode
from export import activations, folded
from features import SAMPLE_RATE, features

TOLERANCE_S, TEMPO_TOLERANCE = 0.07, 0.04


def f_measure(wanted, found):
    """F of events matched one to one within 70 ms."""
    if not len(wanted) or not len(found):
        return float(not len(wanted) and not len(found))
    hits, i, j = 0, 0, 0
    while i < len(wanted) and j < len(found):
        if abs(wanted[i] - found[j]) <= TOLERANCE_S:
            hits, i, j = hits + 1, i + 1, j + 1
        elif wanted[i] < found[j]:
            i += 1
        else:
            j += 1
    return 2 * hits / (len(wanted) + len(found))


def scores(wanted, found):
    """beat F, downbeat F, tempo right, tempo right but for a factor of 2 or 3."""
    late = 5.0 if wanted[-1, 0] > 10.5 else 0.0  # as mir_eval trims, where the recording is long enough
    wanted, found = wanted[wanted[:, 0] >= late], found[found[:, 0] >= late]
    downs = [x[x[:, 1] == 1, 0] for x in (wanted, found)]
    if len(wanted) < 2 or len(found) < 2:
        return f_measure(wanted[:, 0], found[:, 0]), f_measure(*downs), 0.0, 0.0
    ratio = np.median(np.diff(wanted[:, 0])) / np.median(np.diff(found[:, 0]))
    near = [abs(ratio / factor - 1) <= TEMPO_TOLERANCE for factor in (1, 2, 0.5, 3, 1 / 3)]
    return f_measure(wanted[:, 0], found[:, 0]), f_measure(*downs), float(near[0]), float(any(near))


def recordings(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.beats"))):
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-i",
            path[:-6] + ".ogg",
            "-ac",
            "1",
            "-ar",
            str(SAMPLE_RATE),
            "-f",
            "f32le",
            "-",
        ]
        samples = np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, np.float32)
        yield os.path.basename(path)[:-6], features(samples), np.loadtxt(path, ndmin=2)


def held_back(folder, count):
    clips, beats, styles = load_clips(folder, True)
    for grid, rows, style in list(zip(clips, beats, styles))[:count]:
        rows = rows[~np.isnan(rows[:, 0])]
        if len(rows) > 4:
            yield str(style), grid.astype(np.float32), rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True)
    parser.add_argument("--clips")
    parser.add_argument("--recordings")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--each", action="store_true", help="a line for every recording or style")
    options = parser.parse_args()
    network = folded(options.weights)
    models = [BarModel(3), BarModel(4)] if options.recordings else [BarModel(n) for n in (2, 3, 4, 5, 6, 7)]
    source = recordings(options.recordings) if options.recordings else held_back(options.clips, options.count)
    table = defaultdict(list)
    for name, grid, wanted in source:
        table[name].append(scores(wanted, decode(activations(network, grid), models)))
    if options.each:
        for name, rows in sorted(table.items()):
            print(f"{name:60s}", *(f"{x:6.3f}" for x in np.mean(rows, 0)), len(rows))
    everything = [row for rows in table.values() for row in rows]
    print(
        f"{'beat F, downbeat F, Acc1, Acc2':60s}",
        *(f"{x:6.3f}" for x in np.mean(everything, 0)),
        len(everything),
    )


if __name__ == "__main__":
    main()
