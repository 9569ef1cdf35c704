"""Compose a piece by rule in a style: sections of a few bars, each with its own harmony, patterns and
line-up.
"""

import numpy as np

from harmony import progression, scale_of
from melody import motif, play_melody
from players import drum_key, play_bass, play_comp, play_drums, play_fill
from score import Bar, Note, Part, Score
from styles.style import DRIVEN, ORGAN, PADS, STRINGS, VOICES

WASHES = PADS + STRINGS + VOICES + ORGAN + DRIVEN


def pick(rng, options):
    return options[int(rng.integers(len(options)))]


def section_lengths(rng, bars):
    lengths = []
    while sum(lengths) < bars:
        lengths.append(int(rng.choice((4, 8, 8, 4, 6, 2), p=(0.4, 0.2, 0.25, 0.05, 0.05, 0.05))))
    return lengths


def compose(rng, style, beats):
    """A Score of at least `beats` beats."""
    lengths = section_lengths(rng, -(-beats // style.beats))
    bars = [Bar(i * style.beats, style.beats) for i in range(sum(lengths))]
    starts = [int(x) for x in np.cumsum([0] + lengths[:-1])]
    key, minor = int(rng.integers(12)), rng.random() < style.minor
    scale = scale_of(key, minor)
    chords = _harmony(rng, style, scale, minor, bars, starts)
    band = Band(rng, style, chords, scale)
    return band.arrange(bars, starts)


def _harmony(rng, style, scale, minor, bars, starts):
    """A function from beat to chord; A sections share one progression, B sections another."""
    pace = pick(rng, style.harmony)
    sevenths = rng.random() < (0.8 if style.division == 3 and style.swing[1] > 0.6 else 0.2)
    slot = max(1, int(round(pace * style.beats)))
    per_section = max(1, int(8 * style.beats / slot))
    loops = [progression(rng, scale, minor, int(pick(rng, (4, 4, 8, 2))), sevenths) for _ in range(2)]
    sheet = {}
    which = 0
    for i, start in enumerate(starts):
        which = which if rng.random() < 0.5 else 1 - which
        end = starts[i + 1] if i + 1 < len(starts) else len(bars)
        for beat in range(start * style.beats, end * style.beats):
            loop = loops[which]
            sheet[beat] = loop[((beat - start * style.beats) // slot) % min(len(loop), per_section)]
    last = len(bars) * style.beats - 1
    early = 0.5 if rng.random() < 0.12 * (1 + style.syncopation) else 0.0  # chords that anticipate the bar

    def chord_at(beat):
        return sheet[min(max(int(np.floor(beat + early + 1e-6)), 0), last)]

    return chord_at


class Band:
    """Who plays what in one clip; also used to accompany songs that are not composed here (songs.py)."""

    def __init__(self, rng, style, chord_at, scale):
        self.rng, self.style, self.chord_at, self.scale = rng, style, chord_at, scale
        self.feel = (rng.uniform(*style.swing), rng.uniform(*style.swing_16))
        self.choice = int(rng.integers(4))
        self.looseness = float(pick(rng, (0.0, 0.02, 0.05, 0.1)))
        self.octave = int(rng.integers(28, 36))

    def arrange(self, bars, starts):
        parts = (
            self.drums(bars, starts)
            + self.bass(bars, starts)
            + self.comps(bars, starts)
            + self.lead(bars, starts)
        )
        if not parts:
            parts = self.lead(bars, starts, always=True)
        first = 0.0
        if self.rng.random() < self.style.anacrusis:
            first = self._pick_up(parts, bars)
        return Score(bars, parts, starts, first)

    def sections(self, bars, starts):
        for i, start in enumerate(starts):
            yield i, start, bars[start : starts[i + 1] if i + 1 < len(starts) else len(bars)]

    def drums(self, bars, starts):
        rng, style = self.rng, self.style
        if not style.drums or rng.random() >= style.drum_chance:
            return []
        part = Part(int(pick(rng, style.kits)), True, rng.uniform(0.5, 1.3))
        patterns = [pick(rng, style.drums) for _ in range(2)]
        rests = 0.12 if rng.random() < 0.6 else 0.0
        crashes = rng.random() < style.fills + 0.1 and style.beats in (2, 4, 5, 7)
        for _, start, section in self.sections(bars, starts):
            if rng.random() < rests:
                continue  # a break
            pattern = dict(pick(rng, patterns))
            if rng.random() < 0.15 and len(pattern) > 1:
                pattern.pop(pick(rng, sorted(pattern)))
            if rng.random() < 0.1:
                pattern["y"] = "x" * 2 * section[0].beats
            for i, bar in enumerate(section):
                notes = play_drums(rng, style, self.feel, pattern, i, bar, self.choice, self.looseness)
                ends = i + 1 == len(section) or (i % 4 == 3 and rng.random() < 0.4)
                if ends and rng.random() < style.fills:
                    begins, fill = play_fill(rng, style, self.feel, bar, self.choice)
                    keep = (36, 35) if rng.random() < 0.5 else ()
                    notes = [n for n in notes if n.beat < begins - 1e-6 or n.pitch in keep] + fill
                if i == 0 and crashes and rng.random() < 0.6:
                    notes.append(Note(bar.start, 1.0, drum_key("C", "X", self.choice), rng.uniform(0.6, 1.0)))
                part.notes += notes
        return [part]

    def bass(self, bars, starts):
        rng, style = self.rng, self.style
        if not style.bass or rng.random() >= style.bass_chance:
            return []
        part = Part(int(pick(rng, style.bass_programs)), level=rng.uniform(0.5, 1.2))
        patterns = [pick(rng, style.bass) for _ in range(2)]
        for _, _, section in self.sections(bars, starts):
            if rng.random() < 0.06:
                continue
            pattern = pick(rng, patterns)
            for i, bar in enumerate(section):
                part.notes += play_bass(rng, style, self.feel, pattern, i, bar, self.chord_at, self.octave)
        return [part]

    def comps(self, bars, starts):
        rng, style, parts = self.rng, self.style, []
        for comp in style.comps:
            if rng.random() >= comp.chance:
                continue
            part = Part(int(pick(rng, comp.programs)), level=comp.level * rng.uniform(0.6, 1.3))
            patterns = [pick(rng, comp.patterns) for _ in range(2)]
            voices = int(rng.integers(2, 5))
            for _, _, section in self.sections(bars, starts):
                if rng.random() < 0.12:
                    continue
                pattern = pick(rng, patterns)
                for i, bar in enumerate(section):
                    part.notes += play_comp(
                        rng, style, self.feel, comp, pattern, i, bar, self.chord_at, voices
                    )
            parts.append(part)
        if parts and style.drum_chance > 0 and rng.random() < 0.3:
            parts.append(self._wash(bars, starts))
        return parts

    def _wash(self, bars, starts):
        """Held chords behind everything: records are fuller than scores."""
        part = Part(int(pick(self.rng, WASHES)), level=self.rng.uniform(0.2, 0.7))
        hold = int(pick(self.rng, (1, 1, 2)))
        for _, _, section in self.sections(bars, starts):
            for bar in section[::hold]:
                chord = self.chord_at(bar.start)
                for i in range(3):
                    pitch = chord.pitch(i, 52)
                    part.notes.append(Note(bar.start, hold * bar.beats, pitch, self.rng.uniform(0.5, 0.9)))
        return part

    def lead(self, bars, starts, always=False):
        rng, style, parts = self.rng, self.style, []
        count = int(always or rng.random() < style.lead_chance)
        if count and rng.random() < 0.2:
            count = 2
        for _ in range(count):
            part = Part(int(pick(rng, style.leads)), level=rng.uniform(0.5, 1.3))
            register = int(rng.integers(60, 78)) if part.program >= 0 else int(rng.integers(52, 72))
            density = rng.uniform(*style.lead_density)
            pool = [[motif(rng, style, style.beats, density) for _ in range(3)] for _ in range(2)]
            rests = rng.uniform(0.0, 0.35)
            for _, _, section in self.sections(bars, starts):
                for i in range(0, len(section), 4):
                    if rng.random() >= rests or always:
                        motifs = pool[int(rng.random() < 0.4)]
                        part.notes += play_melody(
                            rng,
                            style,
                            self.feel,
                            section[i : i + 4],
                            self.chord_at,
                            self.scale,
                            register,
                            motifs,
                        )
            parts.append(part)
        return parts

    def _pick_up(self, parts, bars):
        """Let the melody begin just before the first full bar; returns the first labelled beat."""
        start = bars[1].start if len(bars) > 1 else 0
        length = self.rng.uniform(0.25, 2.0)
        tuned = [p for p in parts if not p.drums]
        alone = tuned[-1] if tuned else None
        for part in parts:
            begin = start - length if part is alone else start
            part.notes = [n for n in part.notes if n.beat >= begin - 1e-6]
        return float(np.ceil(start - length - 1e-6))
