"""What a style of music is to the composer.

Patterns are strings, one character a step, bars divided by `|`; the steps share the bar evenly, so a 4/4 bar
of 16 steps is in sixteenths and one of 12 in triplets. Drums: `X` accent, `x` stroke, `o` ghost, `.` rest.
Chords likewise, with `-` to hold. Bass: the chord's degree `1 3 5 6 7 8`, `-` to hold, `.` rest. Figures
(arpeggios): the n-th chord tone upwards.
"""

from dataclasses import dataclass, field

# General MIDI programs by sound.
PIANO = (0, 1, 2, 3)
EPIANO = (4, 5)
KEYS = PIANO + EPIANO
ORGAN = (16, 17, 18, 19)
ACCORDION = (21, 22, 23)
NYLON, STEEL, JAZZ_GUITAR, CLEAN, MUTED, DRIVEN = (24,), (25,), (26,), (27,), (28,), (29, 30)
ACOUSTIC = NYLON + STEEL
UPRIGHT, EBASS, SYNTH_BASS = (32,), (33, 34, 35, 36, 37), (38, 39, 87)
STRINGS = (48, 49, 50, 51, 44)
SOLO_STRINGS = (40, 41, 42)
PIZZICATO = (45,)
VOICES = (52, 53, 54)
BRASS = (61, 62, 63, 56, 57)
REEDS = (64, 65, 66, 67, 68, 71)
WINDS = (68, 69, 70, 71, 72, 73, 74, 75)
SYNTH_LEAD = (80, 81, 82, 83, 84, 86, 87)
PADS = (88, 89, 90, 91, 92, 94, 95, 50, 51)
PLUCKED = (46, 104, 105, 106, 107, 12, 13, 11, 108)
HARPSICHORD = (6, 7)
SINGER = (-1,)  # the synthesised voice of singer.py

# Drum kits: General MIDI kits of the soundfonts; -1 is a synthetic kit made anew for the clip.
ROCK_KITS = (0, 8, 16, 0, 16)
DANCE_KITS = (24, 25, -1, -1, -1)
JAZZ_KITS = (32, 40, 32)
SOFT_KITS = (0, 8, 40, 25)
ANY_KITS = (0, 8, 16, 24, 25, -1)


@dataclass(frozen=True)
class Comp:
    """One accompanying part: `patterns` of chords, or of figures where `figure` is set."""

    programs: tuple
    patterns: tuple
    figure: bool = False
    register: int = 60
    chance: float = 1.0
    level: float = 0.7


@dataclass(frozen=True)
class Style:
    name: str
    weight: float
    bpm: tuple  # of the beats that are labelled; log-uniform
    beats: int = 4  # in a bar, as labelled
    groups: tuple = ()  # accent groups of an odd bar, in beats
    division: int = 2  # of a beat, for melodies and fills
    swing: tuple = (0.5, 0.5)  # where the off-beat eighth lies in its beat
    swing_16: tuple = (0.5, 0.5)  # the same for sixteenths in their eighth
    drums: tuple = ()  # of {voice: pattern}
    kits: tuple = ANY_KITS
    drum_chance: float = 1.0
    fills: float = 0.6
    bass: tuple = ()  # patterns, or "walk"
    bass_programs: tuple = EBASS
    bass_chance: float = 0.9
    comps: tuple = ()
    leads: tuple = KEYS + REEDS + SINGER
    lead_chance: float = 0.7
    lead_density: tuple = (0.4, 1.0)
    syncopation: float = 0.2
    harmony: tuple = (1,)  # bars a chord, 0.5 = two chords a bar
    minor: float = 0.4
    timing: str = "band"  # machine, band or rubato
    anacrusis: float = 0.3
    extra: dict = field(default_factory=dict)
