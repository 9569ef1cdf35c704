"""Melodies: a motif that comes back, walked over the scale and pulled to the chord on strong beats."""

from score import Note
from players import swung


def motif(rng, style, bar_beats, density):
    """Onsets of one bar in beats."""
    onsets = []
    for beat in range(bar_beats):
        for part in range(style.division):
            if part == 0:
                chance = 0.55 + 0.4 * density if beat == 0 else 0.35 + 0.45 * density
            elif style.division == 3:
                chance = (0.12, 0.45)[part - 1] * density if style.swing[1] > 0.5 else 0.5 * density
            elif part * 2 == style.division:
                chance = 0.55 * density
            else:
                chance = 0.3 * density if style.division == 4 else 0.4 * density
            if rng.random() < chance:
                offset = beat + part / style.division
                if part == 0 and beat > 0 and rng.random() < style.syncopation:
                    offset -= 0.5 if style.division != 3 else 1 / 3  # anticipated
                onsets.append(offset)
    return sorted(set(onsets))


def play_melody(rng, style, feel, bars, chord_at, scale, register, motifs):
    """One phrase over `bars`; `motifs` is the pool the section repeats."""
    notes, pitch = [], register
    pool = [p for p in range(register - 12, register + 13) if p % 12 in scale]
    order = [(0, 0, 1, 2), (0, 1, 0, 2), (0, 1, 2, 1), (0, 0, 0, 1)][rng.integers(4)]
    onsets = []
    for i, bar in enumerate(bars):
        shape = motifs[order[i % 4] % len(motifs)]
        if i % 4 == 3 and rng.random() < 0.5:
            shape = [o for o in shape if o < bar.beats / 2] or [0.0]  # a breath at the end of the phrase
        onsets += [(bar.start, o) for o in shape if o < bar.beats]
    times = [start + offset for start, offset in onsets]
    legato = rng.uniform(0.5, 1.0)
    for i, (start, offset) in enumerate(onsets):
        gap = times[i + 1] - times[i] if i + 1 < len(times) else 2.0
        chord = chord_at(start + offset + 0.01)
        leap = int(rng.choice((-3, -2, -1, -1, 0, 1, 1, 2, 3)))
        near = min(range(len(pool)), key=lambda k: abs(pool[k] - pitch))
        pitch = pool[min(max(near + leap, 0), len(pool) - 1)]
        if offset % 1 == 0 and rng.random() < 0.7:
            pitch = min(
                (p for p in range(pitch - 4, pitch + 5) if p % 12 in chord.tones),
                key=lambda p: abs(p - pitch),
                default=pitch,
            )
        velocity = 0.72 + 0.12 * (offset % 1 == 0) + 0.1 * (offset == 0) + 0.08 * rng.standard_normal()
        per_beat = 3 if style.division == 3 else style.division
        notes.append(
            Note(start + swung(style, feel, offset, per_beat), min(gap, 4.0) * legato, pitch, velocity)
        )
    return notes
