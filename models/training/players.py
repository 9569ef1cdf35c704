"""Turn a style's patterns into notes, one bar at a time."""

from score import Note

STROKE = {"X": 1.0, "x": 0.74, "o": 0.4}
KEYS = {
    "k": (36, 35),
    "s": (38, 40),
    "r": (37,),
    "c": (39,),
    "h": (42,),
    "H": (46,),
    "p": (44,),
    "R": (51, 59),
    "C": (49, 57),
    "t": (45, 43),
    "m": (47, 48),
    "S": (41, 35),
    "W": (75, 76),
    "b": (56,),
    "y": (54,),
    "z": (70, 82),
    "a": (67, 68),
    "w": (76,),
}
BY_STROKE = {
    "L": {"X": 63, "x": 64, "o": 62},
    "B": {"X": 61, "x": 60, "o": 60},
    "g": {"X": 74, "x": 73, "o": 73},
}


def swung(style, feel, offset, per_beat):
    """Move a position inside its beat to where the style's swing puts it. `feel` is (swing, swing_16) of the
    clip.
    """
    whole, part = divmod(offset, 1.0)
    swing, swing_16 = feel
    if abs(per_beat % 3) < 1e-6:  # written in triplets: the third stroke lies where the swung eighth lies
        corner, target = 2 / 3, (swing if swing > 0.5 else 2 / 3)
    elif per_beat >= 4 and swing_16 > 0.5:
        half, inner = divmod(part, 0.5)
        inner = (
            inner / 0.25 * swing_16 * 0.5
            if inner <= 0.25
            else 0.5 * swing_16 + (inner - 0.25) / 0.25 * (1 - swing_16) * 0.5
        )
        return whole + half * 0.5 + inner
    else:
        corner, target = 0.5, swing
    warped = (
        part / corner * target if part <= corner else target + (part - corner) / (1 - corner) * (1 - target)
    )
    return whole + warped


def steps(style, pattern, bar_index, bar):
    """(offset in beats, steps a beat, character, duration in beats) of every stroke of the pattern's bar; a
    bar shorter than the style's cuts the pattern, a longer one leaves its end empty.
    """
    texts = pattern.split("|")
    text = texts[bar_index % len(texts)]
    size = style.beats / len(text)
    for i, char in enumerate(text):
        if char in ".-" or i * size >= bar.beats:
            continue
        held = 1
        while i + held < len(text) and text[i + held] == "-":
            held += 1
        yield i * size, 1 / size, char, held * size


def drum_key(voice, stroke, choice):
    if voice in BY_STROKE:
        return BY_STROKE[voice][stroke]
    keys = KEYS[voice]
    return keys[choice % len(keys)]


def play_drums(rng, style, feel, pattern, bar_index, bar, choice, looseness):
    notes = []
    for voice, text in pattern.items():
        for offset, per_beat, stroke, _ in steps(style, text, bar_index, bar):
            weak = abs(offset - round(offset)) > 1e-6
            if rng.random() < looseness * (1.5 if weak else 0.3):
                continue
            velocity = STROKE[stroke] * (1 + 0.1 * rng.standard_normal())
            notes.append(
                Note(
                    bar.start + swung(style, feel, offset, per_beat),
                    0.2,
                    drum_key(voice, stroke, choice),
                    velocity,
                )
            )
    if "k" in pattern and rng.random() < looseness * 3:  # a kick that was not written
        offset = rng.integers(bar.beats * 2) / 2
        notes.append(Note(bar.start + swung(style, feel, offset, 2), 0.2, drum_key("k", "x", choice), 0.6))
    return notes


def play_fill(rng, style, feel, bar, choice):
    """A run over the last beat or two of a bar."""
    length = min(bar.beats, int(rng.choice((1, 1, 2, 2, bar.beats))))
    division = 3 if style.division == 3 else int(rng.choice((2, 4, 4)))
    keys = [(38,), (38, 48, 45, 41), (48, 45, 41), (38, 36), (42, 38, 46), (63, 64, 62)][rng.integers(6)]
    density = rng.uniform(0.5, 1.0)
    notes, count = [], length * division
    for i in range(count):
        if rng.random() < density:
            offset = bar.beats - length + i / division
            key = keys[i * len(keys) // count]
            notes.append(
                Note(bar.start + swung(style, feel, offset, division), 0.2, key, rng.uniform(0.55, 1.0))
            )
    return bar.start + bar.beats - length, notes


def play_bass(rng, style, feel, pattern, bar_index, bar, chord_at, octave):
    if pattern == "walk":
        return _walk(rng, style, feel, bar, chord_at, octave)
    notes = []
    for offset, per_beat, char, duration in steps(style, pattern, bar_index, bar):
        chord = chord_at(bar.start + offset)
        root = octave + (chord.root - octave) % 12
        if char == "8":
            pitch = root + 12
        elif char in "135":
            pitch = root + (chord.tones["135".index(char)] - chord.root) % 12
        else:
            pitch = root + {"6": 9, "7": 10, "4": 5, "2": 2}[char]
        velocity = (0.95 if offset == 0 else 0.8) * (1 + 0.08 * rng.standard_normal())
        notes.append(
            Note(
                bar.start + swung(style, feel, offset, per_beat),
                duration * rng.uniform(0.7, 1.0),
                pitch,
                velocity,
            )
        )
    return notes


def _walk(rng, style, feel, bar, chord_at, octave):
    notes = []
    for beat in range(bar.beats):
        chord, following = chord_at(bar.start + beat), chord_at(bar.start + beat + 1)
        root = octave + (chord.root - octave) % 12
        if beat == 0 or following is not chord and chord_at(bar.start + beat - 0.01) is not chord:
            pitch = root
        elif following is not chord or beat == bar.beats - 1:
            pitch = octave + (following.root - octave) % 12 + int(rng.choice((-1, 1, 2, -2)))
        else:
            pitch = root + int(rng.choice([(t - chord.root) % 12 for t in chord.tones] + [2, 9]))
        notes.append(Note(bar.start + beat, 0.9, pitch, rng.uniform(0.75, 0.95)))
        if rng.random() < 0.12:
            notes.append(Note(bar.start + swung(style, feel, beat + 0.5, 2), 0.3, pitch, 0.6))
    return notes


def play_comp(rng, style, feel, comp, pattern, bar_index, bar, chord_at, voices):
    notes = []
    for offset, per_beat, char, duration in steps(style, pattern, bar_index, bar):
        chord = chord_at(bar.start + offset)
        beat = bar.start + swung(style, feel, offset, per_beat)
        if comp.figure:
            pitch = chord.pitch(int(char) - 1, comp.register - 7)
            notes.append(
                Note(
                    beat,
                    max(duration, 1 / per_beat * 1.5),
                    pitch,
                    0.75 + 0.12 * rng.standard_normal() + 0.12 * (offset % 1 == 0),
                )
            )
            continue
        level = STROKE[char] * (1 + 0.08 * rng.standard_normal())
        for i in range(voices):
            notes.append(Note(beat, duration * 0.9, chord.pitch(i, comp.register - 5), level))
    return notes
