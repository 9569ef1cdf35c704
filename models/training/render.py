"""Render training clips: composed or taken from POP909, performed, mixed, coloured, stored as features with
labels.

    render.py --bank BANK --archive midi_pop909 --out CLIPS --chunks 0:100 [--part 0/2]

Chunk n holds CHUNK clips and depends on nothing but n, so runs can stop, go on and be shared out freely.
Every eighth POP909 song and every tenth chunk is held back for validation: songs are split before anything is
rendered.
"""

import argparse
import os

import numpy as np

from compose import Band, compose, pick
from effects import colour
from features import HOP, SAMPLE_RATE, features
from mixer import Mixer
from score import Bar, Note, Part, Score
from songs import load_song, song_names
from soundbank import SoundBank
from styles import STYLES
from styles.style import ACOUSTIC, CLEAN, EPIANO, KEYS, REEDS, SINGER, STRINGS, SYNTH_LEAD, WINDS
from timing import beat_times

FRAMES = 1184
LENGTH = FRAMES * HOP
CHUNK = 40
SONG_SHARE, BEATLESS_SHARE = 0.2, 0.015
MAX_BEATS = 128  # labels kept of a clip


def is_validation(chunk):
    return chunk % 10 == 9


def _tempo(rng, style):
    low, high = style.bpm
    return float(np.exp(rng.uniform(np.log(low * 0.97), np.log(high * 1.03))))


def _composed(rng):
    weights = np.array([style.weight for style in STYLES])
    style = STYLES[rng.choice(len(STYLES), p=weights / weights.sum())]
    bpm = _tempo(rng, style)
    seconds = LENGTH / SAMPLE_RATE
    score = compose(rng, style, int((seconds * 1.4 + 8) * bpm / 60) + 2 * style.beats)
    return style.name, style.timing, bpm, score


def _song(rng, archive, names):
    loaded = None
    while loaded is None:
        loaded = load_song(archive, pick(rng, names))
    score, chord_at, bpm = loaded
    bpm *= float(np.exp(rng.uniform(-0.18, 0.2)))
    beats = int(np.median([bar.beats for bar in score.bars]))
    fits = [s for s in STYLES if s.beats == beats and s.drums and s.bpm[0] * 0.9 < bpm < s.bpm[1] * 1.1]
    if fits:
        style = pick(rng, fits)
        band = Band(rng, style, chord_at, tuple(range(12)))
        extra = band.drums(score.bars, score.sections) if rng.random() < 0.75 else []
        extra += band.bass(score.bars, score.sections) if rng.random() < 0.75 else []
        if rng.random() < 0.4:
            extra += band.comps(score.bars, score.sections)
        timing = style.timing if rng.random() < 0.5 else "band"
    else:
        extra, timing = [], "human"
    melody, *rest = score.parts
    melody.program = int(pick(rng, SINGER * 3 + REEDS + WINDS + KEYS + SYNTH_LEAD + STRINGS))
    for part in rest:
        part.program = int(pick(rng, KEYS * 2 + ACOUSTIC * 2 + CLEAN + STRINGS + EPIANO + (88, 89, 46, 11)))
    kept = [p for p in score.parts if rng.random() < 0.85] + extra or score.parts
    for part in kept:
        part.level = part.level * rng.uniform(0.6, 1.3)
    return "song", timing, bpm, Score(score.bars, kept, score.sections)


def _beatless(rng):
    """Talk, or notes at random: music and sound without a beat."""
    part, beat = Part(int(rng.choice((-1, -1, 48, 0, 91)))), 0.0
    while beat < 40:
        part.notes.append(Note(beat, rng.uniform(0.1, 1.5), int(rng.integers(45, 80)), rng.uniform(0.3, 1)))
        beat += rng.exponential(0.4) + 0.08
    return "beatless", "rubato", 60.0, Score([Bar(i * 4, 4) for i in range(12)], [part], [0])


def _window(rng, times, score):
    """Where in the piece the clip starts, in seconds: mostly somewhere inside, at times at its start or its
    end.
    """
    span, end = LENGTH / SAMPLE_RATE, times[-1]
    kind = rng.random()
    if kind < 0.14 or score.first_beat > 0:
        return times[max(0, int(score.first_beat))] - rng.uniform(0.1, 1.6)
    if kind < 0.2:
        return end - span + rng.uniform(0.0, 3.0)
    return rng.uniform(min(times[2], max(0.0, end - span)), max(times[2] + 0.01, end - span))


def render_clip(rng, bank, archive, names):
    """(style, float32 features, seconds of the beats, places in the bar)."""
    draw = rng.random()
    if draw < BEATLESS_SHARE:
        name, timing, bpm, score = _beatless(rng)
    elif draw < BEATLESS_SHARE + SONG_SHARE:
        name, timing, bpm, score = _song(rng, archive, names)
    else:
        name, timing, bpm, score = _composed(rng)
    times = beat_times(rng, score, bpm, timing)
    offset = _window(rng, times, score)
    bank.start_clip()
    mixer = Mixer(rng, bank, times, offset, LENGTH, timing)
    mixer.transpose = int(rng.integers(-5, 6))
    sound = mixer.mix(score)
    if np.abs(sound).max() < 1e-4:
        return None
    sound = colour(rng, sound)
    positions = np.array(score.positions())
    seconds = times[: len(positions)] - offset
    last = max(n.beat for part in score.parts for n in part.notes)
    keep = (seconds >= 0) & (seconds < LENGTH / SAMPLE_RATE) & (np.arange(len(seconds)) >= score.first_beat)
    keep &= np.arange(len(seconds)) <= last + 0.01
    if name == "beatless":
        keep[:] = False
    return name, features(sound), seconds[keep][:MAX_BEATS], positions[keep][:MAX_BEATS]


def render_chunk(chunk, bank, archive, names, seed):
    rng = np.random.default_rng((seed, chunk))
    styles, grids, beats = [], [], np.full((CHUNK, MAX_BEATS, 2), np.nan, np.float32)
    while len(styles) < CHUNK:
        clip = render_clip(rng, bank, archive, names)
        if clip is None:
            continue
        name, grid, seconds, positions = clip
        beats[len(styles), : len(seconds), 0] = seconds
        beats[len(styles), : len(seconds), 1] = positions
        styles.append(name)
        grids.append(grid.astype(np.float16))
    return {"features": np.stack(grids), "beats": beats, "styles": np.array(styles)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bank", required=True)
    parser.add_argument("--archive", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--chunks", required=True, help="first:last")
    parser.add_argument("--part", default="0/1", help="this worker of how many")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    bank, names = SoundBank(options.bank), song_names(options.archive)
    held_back = names[::8]
    trained = [name for name in names if name not in set(held_back)]
    first, last = map(int, options.chunks.split(":"))
    worker, workers = map(int, options.part.split("/"))
    for chunk in range(first, last):
        path = os.path.join(options.out, f"{chunk:05d}.npz")
        if chunk % workers != worker or os.path.exists(path):
            continue
        pool = held_back if is_validation(chunk) else trained
        clips = render_chunk(chunk, bank, options.archive, pool, options.seed)
        np.savez(path + ".part.npz", **clips)
        os.rename(path + ".part.npz", path)


if __name__ == "__main__":
    main()
