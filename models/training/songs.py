"""Songs of the POP909 archive (Wang et al., ISMIR 2020; MIT) as scores: melody, bridge and piano on the
song's beats.
"""

import os

import mido
import numpy as np

from score import Bar, Chord, Note, Part, Score

PITCH_CLASS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
QUALITY = {
    "maj": (0, 4, 7),
    "min": (0, 3, 7),
    "dim": (0, 3, 6),
    "aug": (0, 4, 8),
    "sus4": (0, 5, 7),
    "sus2": (0, 2, 7),
}
QUALITY |= {
    "maj7": (0, 4, 7, 11),
    "min7": (0, 3, 7, 10),
    "7": (0, 4, 7, 10),
    "hdim7": (0, 3, 6, 10),
    "dim7": (0, 3, 6, 9),
}


def song_names(archive):
    folder = os.path.join(archive, "POP909")
    return sorted(name for name in os.listdir(folder) if name.isdigit())


def _chord(label):
    root, _, quality = label.partition(":")
    if root[0] not in PITCH_CLASS:
        return None
    pc = (PITCH_CLASS[root[0]] + root.count("#") - root.count("b")) % 12
    shape = QUALITY.get(quality.split("/")[0].split("(")[0], (0, 4, 7))
    return Chord(pc, tuple((pc + step) % 12 for step in shape))


def _seconds_of_tick(midi):
    changes, tick = [(0, 500000)], 0
    for message in midi.tracks[0]:
        tick += message.time
        if message.type == "set_tempo":
            changes.append((tick, message.tempo))
    ticks = np.array([c[0] for c in changes], float)
    rates = np.array([c[1] for c in changes]) / 1e6 / midi.ticks_per_beat
    seconds = np.concatenate([[0.0], np.cumsum(np.diff(ticks) * rates[:-1])])

    def convert(tick):
        i = int(np.searchsorted(ticks, tick, "right")) - 1
        return seconds[i] + (tick - ticks[i]) * rates[i]

    return convert


def load_song(archive, name):
    """(Score without accompaniment, chord function, mean BPM); None where the annotations are unusable."""
    folder = os.path.join(archive, "POP909", name)
    rows = np.loadtxt(os.path.join(folder, "beat_midi.txt"))
    times, down = rows[:, 0], rows[:, 2] > 0.5
    if len(times) < 48 or down.sum() < 8:
        return None
    first = int(np.argmax(down))
    times, down = times[first:], down[first:]
    heads = np.nonzero(down)[0]
    bars = [Bar(float(a), int(b - a)) for a, b in zip(heads[:-1], heads[1:])]
    if not bars or max(bar.beats for bar in bars) > 7 or np.median([bar.beats for bar in bars]) > 4:
        return None
    gap = np.median(np.diff(times))

    def to_beat(seconds):
        if seconds < times[0]:
            return (seconds - times[0]) / gap
        return float(np.interp(seconds, times, np.arange(len(times))))

    parts = _read_parts(mido.MidiFile(os.path.join(folder, f"{name}.mid")), to_beat, bars)
    sheet, current = {}, None
    with open(os.path.join(folder, "chord_midi.txt")) as source:
        for line in source:
            begin, end, label = line.split()[:3]
            chord = _chord(label)
            current = chord or current
            for beat in range(round(to_beat(float(begin))), round(to_beat(float(end)))):
                sheet[beat] = chord or current
    filler = next(iter(c for c in sheet.values() if c), Chord(0, (0, 4, 7)))

    def chord_at(beat):
        return sheet.get(int(np.floor(beat + 1e-6))) or filler

    score = Score(bars, parts, list(range(0, len(bars), 8)))
    return score, chord_at, 60 / gap


def _read_parts(midi, to_beat, bars):
    convert, parts = _seconds_of_tick(midi), []
    last = bars[-1].start + bars[-1].beats
    for track in midi.tracks[1:]:
        part, tick, held = Part(0), 0, {}
        for message in track:
            tick += message.time
            if message.type == "note_on" and message.velocity:
                held.setdefault(message.note, []).append((tick, message.velocity))
            elif message.type in ("note_off", "note_on") and held.get(message.note):
                start, velocity = held[message.note].pop(0)
                beat = to_beat(convert(start))
                if 0 <= beat < last:
                    duration = max(0.1, to_beat(convert(tick)) - beat)
                    part.notes.append(Note(beat, duration, message.note, velocity / 110))
        parts.append(part)
    return parts
