"""Chord progressions in a key."""

from score import Chord

MAJOR, MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)
# Scale degrees of common progressions; jazz and classical ones are drawn from the table of what follows what.
POP_MAJOR = (
    (0, 4, 5, 3),
    (0, 5, 3, 4),
    (5, 3, 0, 4),
    (0, 3, 4, 3),
    (0, 4, 1, 3),
    (3, 0, 4, 5),
    (0, 0, 3, 4),
    (0, 2, 3, 4),
)
POP_MINOR = ((0, 5, 2, 6), (0, 6, 5, 6), (0, 3, 4, 0), (0, 5, 6, 0), (0, 3, 6, 2), (0, 0, 5, 6), (0, 2, 6, 3))
FOLLOWS = {
    0: (3, 4, 5, 1, 2),
    1: (4, 4, 6),
    2: (5, 3),
    3: (4, 1, 0, 0),
    4: (0, 0, 5, 3),
    5: (1, 3, 4),
    6: (0, 2),
}


def scale_of(key, minor):
    return tuple((key + step) % 12 for step in (MINOR if minor else MAJOR))


def chord_on(scale, degree, sevenths):
    tones = tuple(scale[(degree + step) % 7] for step in ((0, 2, 4, 6) if sevenths else (0, 2, 4)))
    return Chord(tones[0], tones)


def progression(rng, scale, minor, length, sevenths):
    """`length` chords, closing on the tonic or the dominant."""
    if rng.random() < 0.6:
        pool = POP_MINOR if minor else POP_MAJOR
        degrees = (list(pool[rng.integers(len(pool))]) * length)[:length]
    else:
        degrees = [0]
        while len(degrees) < length:
            degrees.append(int(rng.choice(FOLLOWS[degrees[-1]])))
        degrees[-1] = int(rng.choice((0, 4)))
    if minor and rng.random() < 0.5:  # the major dominant of the harmonic minor
        raised = tuple((tone + 1) % 12 if i == 6 else tone for i, tone in enumerate(scale))
        return [chord_on(raised if d == 4 else scale, d, sevenths) for d in degrees]
    return [chord_on(scale, d, sevenths) for d in degrees]
