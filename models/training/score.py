"""Music before it sounds: notes placed in beats, parts that play them, bars that group the beats."""

from dataclasses import dataclass, field


@dataclass
class Note:
    beat: float
    duration: float  # in beats
    pitch: int  # MIDI number, or the key of the percussion map
    velocity: float  # 0–1


@dataclass
class Part:
    program: int  # General MIDI program; the kit where `drums`; -1 is synthesised here (kit or voice)
    drums: bool = False
    level: float = 0.7
    notes: list = field(default_factory=list)


@dataclass
class Bar:
    start: float  # in beats
    beats: int


@dataclass
class Chord:
    """Pitch classes from the root upwards."""

    root: int
    tones: tuple

    def pitch(self, degree_index, base):
        """The n-th chord tone (0 = root) counted upwards from the root at or above `base`."""
        octave, i = divmod(degree_index, len(self.tones))
        return base + (self.root - base) % 12 + (self.tones[i] - self.root) % 12 + 12 * octave


@dataclass
class Score:
    bars: list
    parts: list
    sections: list  # indices into bars where a section starts
    first_beat: float = 0.0  # beats before it are not labelled (silence or a pick-up that nobody counts)

    @property
    def beats(self):
        return int(self.bars[-1].start + self.bars[-1].beats)

    def positions(self):
        """Place in the bar of every beat, 1 = downbeat."""
        return [i + 1 for bar in self.bars for i in range(bar.beats)]
