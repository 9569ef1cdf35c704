"""Songs as note events with a known key: POP909 (MIT) and generated songs in the idioms that POP909 lacks.

A song is a dict: `notes` (float array, one row a note: start s, duration s, MIDI pitch, velocity 0-1, role),
`drums` (start s, General MIDI drum note, velocity), `tonic` (0 = C), `minor`, `seconds`.
"""
import functools
import os
import random

import mido
import numpy as np

MELODY, INNER, CHORDS, BASS = range(4)
PITCH_CLASS = {name: value for names, value in (
    ("C B#", 0), ("C# Db", 1), ("D", 2), ("D# Eb", 3), ("E Fb", 4), ("F E#", 5), ("F# Gb", 6), ("G", 7),
    ("G# Ab", 8), ("A", 9), ("A# Bb", 10), ("B Cb", 11)) for name in names.split()}
# Sixteenths of a 4/4 bar: kick, snare, hat.
DRUM_PATTERNS = (
    ("x.......x.x.....", "....x.......x...", "x.x.x.x.x.x.x.x."),
    ("x...x...x...x...", "....x.......x...", "..x...x...x...x."),
    ("x.....x.x.......", "....x.......x...", "x.x.x.x.x.x.x.x."),
    ("x.........x.....", "........x.......", "x...x...x...x..."),
    ("x..x..x...x..x..", "....x..x.x..x...", "xxxxxxxxxxxxxxxx"),
)


def parse_key(text):
    name, mode = text.split(":")
    return PITCH_CLASS[name], mode.startswith("min")


@functools.lru_cache(maxsize=None)
def pop909_keys(root):
    """Songs whose two key annotations (from the audio, from the score) name one and the same key."""
    keys = {}
    for song in sorted(os.listdir(f"{root}/midi_pop909/POP909")):
        try:
            score = open(f"{root}/midi_pop909_structure/POP909/{song}/analyzed_key.txt").read().split()
            audio = [line.split()[2] for line in open(f"{root}/midi_pop909/POP909/{song}/key_audio.txt")]
            if len(score) == 1 and len(audio) == 1 and parse_key(score[0]) == parse_key(audio[0]):
                keys[song] = parse_key(score[0])
        except (OSError, KeyError, ValueError):
            continue
    return keys


def pop909_song(root, song, rng):
    """One song with a bass line from its chords and a drum pattern on its beats."""
    folder = f"{root}/midi_pop909/POP909/{song}"
    midi = mido.MidiFile(f"{folder}/{song}.mid")
    roles = {"MELODY": MELODY, "BRIDGE": INNER, "PIANO": CHORDS}
    notes, role = [], CHORDS
    for track in midi.tracks:
        role = roles.get(track.name.strip().upper())
        if role is None:
            continue
        single = mido.MidiFile(ticks_per_beat=midi.ticks_per_beat)
        single.tracks += [midi.tracks[0], track]
        clock, sounding = 0.0, {}
        for message in single:
            clock += message.time
            if message.type == "note_on" and message.velocity > 0:
                sounding.setdefault(message.note, []).append((clock, message.velocity / 127))
            elif message.type in ("note_on", "note_off") and sounding.get(message.note):
                start, velocity = sounding[message.note].pop(0)
                notes.append((start, clock - start, message.note, velocity, role))
    beats = [line.split() for line in open(f"{folder}/beat_midi.txt")]
    times = np.array([float(b[0]) for b in beats])
    chords = [line.split() for line in open(f"{folder}/chord_midi.txt")]
    if rng.random() < 0.8:
        notes += bass_line(times, chords, rng)
    drums = drum_track(times, rng) if rng.random() < 0.75 else []
    tonic, minor = pop909_keys(root)[song]
    return transposed(finish(notes, drums, tonic, minor), rng.randint(-6, 5))


def bass_line(times, chords, rng):
    style, notes = rng.choice(("hold", "eighths", "root-fifth")), []
    for start, end, name in chords:
        root = PITCH_CLASS.get(name.split(":")[0].split("/")[0])
        if root is None:
            continue
        pitch = 28 + (root - 28) % 12 + rng.choice((0, 0, 12))
        for i in np.flatnonzero((times > float(start) - 0.05) & (times < float(end) - 0.05)):
            beat = times[i + 1] - times[i] if i + 1 < len(times) else 0.5
            if style == "eighths":
                notes += [(times[i] + beat * k / 2, beat * 0.45, pitch, 0.8, BASS) for k in (0, 1)]
            else:
                notes.append((times[i], beat * 0.9, pitch + (7 if style == "root-fifth" and i % 2 else 0), 0.8, BASS))
    return notes


def drum_track(times, rng):
    pattern, drums = rng.choice(DRUM_PATTERNS), []
    kit = (rng.choice((35, 36)), rng.choice((38, 40, 39)), rng.choice((42, 44, 46, 51)))
    for i in range(len(times) - 1):
        for step in range(4):
            where = times[i] + (times[i + 1] - times[i]) * step / 4
            for line, drum in zip(pattern, kit):
                if line[i % 4 * 4 + step] == "x":
                    drums.append((where, drum, rng.uniform(0.5, 0.9)))
    return drums


def finish(notes, drums, tonic, minor):
    notes = np.array(sorted(notes), dtype=float)
    drums = np.array(sorted(drums), dtype=float).reshape(-1, 3)
    return {"notes": notes, "drums": drums, "tonic": tonic % 12, "minor": minor,
            "seconds": float((notes[:, 0] + notes[:, 1]).max())}


def transposed(song, semitones):
    song["notes"][:, 2] += semitones
    song["tonic"] = (song["tonic"] + semitones) % 12
    return song


def excerpt(song, start, seconds):
    notes, drums = song["notes"].copy(), song["drums"].copy()
    notes[:, 0] -= start
    drums[:, 0] -= start
    end = notes[:, 0] + notes[:, 1]
    notes = notes[(notes[:, 0] < seconds) & (end > 0)]
    notes[:, 1] = np.minimum(notes[:, 0] + notes[:, 1], seconds) - np.maximum(notes[:, 0], 0)
    notes[:, 0] = np.maximum(notes[:, 0], 0)
    drums = drums[(drums[:, 0] >= 0) & (drums[:, 0] < seconds)]
    return dict(song, notes=notes, drums=drums, seconds=min(seconds, song["seconds"] - start))


# --- Generated songs -------------------------------------------------------------------------------------------------
# Scale degrees in semitones above the tonic. A chord is (root, quality); a loop is one bar a chord unless cut in two.
SCALES = {
    "ionian": (0, 2, 4, 5, 7, 9, 11), "mixolydian": (0, 2, 4, 5, 7, 9, 10), "lydian": (0, 2, 4, 6, 7, 9, 11),
    "major pentatonic": (0, 2, 4, 7, 9), "major blues": (0, 2, 3, 4, 7, 9, 10), "minor blues": (0, 3, 5, 6, 7, 10),
    "minor pentatonic": (0, 3, 5, 7, 10), "aeolian": (0, 2, 3, 5, 7, 8, 10), "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10), "harmonic minor": (0, 2, 3, 5, 7, 8, 11),
}
QUALITIES = {"M": (0, 4, 7), "m": (0, 3, 7), "7": (0, 4, 7, 10), "M7": (0, 4, 7, 11), "m7": (0, 3, 7, 10),
             "5": (0, 7), "s": (0, 5, 7), "o": (0, 3, 6), "9": (0, 4, 7, 10, 14), "m9": (0, 3, 7, 10, 14),
             "6": (0, 4, 7, 9)}
ROMAN = {"I": 0, "bII": 1, "II": 2, "bIII": 3, "III": 4, "IV": 5, "#IV": 6, "V": 7, "bVI": 8, "VI": 9, "bVII": 10,
         "VII": 11}
# idiom: (minor, weight, scales for the melody, loops)
IDIOMS = {
    "pop": (False, 4, ("ionian", "major pentatonic"), (
        "IM VM VIm IVM", "IM VIm IVM VM", "VIm IVM IM VM", "IM IVM VM IVM", "IM IVM IM VM", "IM IIIm IVM VM",
        "IVM VM IIIm VIm", "IIm VM IM IM", "IM VIm IIm VM", "IVM IM VM VIm", "IM IM IVM IVM", "IM VM IVM IVM",
        "IM IVM VIm VM", "IM VM VIm IIIm IVM IM IVM VM", "IVM VM IM IM", "IM IIm IVM IM", "IM IVM IVm IM",
        "IM III7 IVM IVm", "IM II7 IVM IM", "IM VIm II7 V7", "IM I7 IVM IVm", "IM VI7 II7 V7")),
    "mixolydian rock": (False, 3, ("mixolydian", "major pentatonic", "major blues", "minor pentatonic"), (
        "IM bVIIM IVM IM", "IM IM bVIIM IVM", "I5 bVII5 IV5 I5", "IM bVIIM IM bVIIM", "IM VM bVIIM IVM",
        "I5 bIII5 IV5 I5", "IM bIIIM IVM IM", "IM bVIM bVIIM IM", "IM IM IVM bVIIM", "I7 I7 IV7 I7",
        "IM IVM bVIIM IVM", "I5 IV5 V5 IV5", "IM VM IVM IM", "IM bIIIM bVIIM IVM", "IM bVIIM VM VM")),
    "blues": (False, 2, ("minor blues", "major blues", "minor pentatonic"), (
        "I7 I7 I7 I7 IV7 IV7 I7 I7 V7 IV7 I7 V7", "I7 IV7 I7 I7 IV7 IV7 I7 I7 V7 IV7 I7 I7",
        "I7 I7 I7 I7 IV7 IV7 I7 I7 V7 V7 I7 I7", "I6 IV9 I6 I7 IV9 IV9 I6 VI7 IIm7 V9 I6 V9")),
    "funk": (False, 1, ("mixolydian", "major blues", "minor pentatonic"), (
        "I7", "I9 I9 IV9 I9", "I9", "I7 bVII5 I7 IV7", "I9 I9 I9 IV9")),
    "jazz and soul": (False, 1, ("ionian", "major blues"), (
        "IIm7 V7 IM7 IM7", "IM7 VIm7 IIm7 V7", "IM7 IVM7 IIIm7 VI7 IIm7 V7 IM7 IM7", "IM7 IIm7 IIIm7 IIm7",
        "IVM7 IIIm7 IIm7 IM7", "IM7 bVII9 IM7 bVII9", "IM7 I7 IVM7 bVII9")),
    "aeolian": (True, 4, ("aeolian", "minor pentatonic"), (
        "Im bVIM bIIIM bVIIM", "Im bVIIM bVIM bVIIM", "Im bVIM bVIIM Im", "Im IVm bVIM bVIIM", "Im bIIIM bVIIM IVm",
        "bVIM bVIIM Im Im", "Im Im bVIM bVIIM", "Im Vm bVIM IVm", "Im bVIIM IVm Im", "IVm bVIM Im bVIIM",
        "Im IVm Im Vm", "Im bVIIM bVIM V7", "Im bVIM IVm V7", "bVIM bIIIM bVIIM Im")),
    "harmonic minor": (True, 2, ("harmonic minor", "aeolian"), (
        "Im IVm V7 Im", "Im V7 Im V7", "Im bVIM V7 Im", "Im IVm bVIIM bIIIM bVIM IIo V7 Im", "Im V7 IVm V7",
        "Im bIIIM bVIM V7", "Im IIo V7 Im", "Im bIIM V7 Im")),
    "dorian": (True, 2, ("dorian", "minor pentatonic", "minor blues"), (
        "Im IVM Im IVM", "Im7 IV7 Im7 IV7", "Im bIIIM IVM Im", "Im bVIIM IVM Im", "Im7 IIm7 Im7 IIm7",
        "Im bVIIM IVM bVIM")),
    "minor blues": (True, 1, ("minor blues", "minor pentatonic"), (
        "Im7 Im7 Im7 Im7 IVm7 IVm7 Im7 Im7 bVI7 V7 Im7 V7", "Im7 IVm7 Im7 Im7 IVm7 IVm7 Im7 Im7 V7 IVm7 Im7 Im7")),
    "drone": (True, 3, ("aeolian", "minor pentatonic", "dorian", "phrygian"), (
        "Im", "I5", "Im Im Im bVIM", "I5 I5 bVII5 I5", "Im Im bVIIM Im", "Im bIIM Im bIIM", "Im9 Im9 IVm9 Im9",
        "I5 I5 bIII5 bVII5", "Im Im Im Im bVIM bVIM bVIIM bVIIM", "Im7 bVIM7")),
    "major drone": (False, 1, ("ionian", "mixolydian", "lydian", "major pentatonic"), (
        "IM", "I5 I5 IV5 I5", "IM IM IVM IM", "Is IM", "IM7 IM7 IVM7 IVM7", "IM IIM IM IIM")),
}


# Chords of a loop drawn at random, by how often rock and pop use them (after De Clercq and Temperley, 2011).
MAJOR_CHORDS = {"IM": 30, "IVM": 22, "VM": 16, "VIm": 8, "IIm": 5, "bVIIM": 8, "IIIm": 3, "bVIM": 3, "bIIIM": 2,
                "IVm": 2, "IIM": 2, "IIIM": 1, "VIM": 1, "V7": 4, "I7": 4, "IV7": 2, "Vm": 1}
MINOR_CHORDS = {"Im": 32, "bVIIM": 16, "bVIM": 14, "IVm": 11, "bIIIM": 9, "Vm": 6, "VM": 4, "V7": 4, "IVM": 5, "IIo": 1,
                "IIm": 1, "Im7": 5, "bIIM": 2}


def random_loop(rng, minor):
    table = MINOR_CHORDS if minor else MAJOR_CHORDS
    loop = rng.choices(list(table), list(table.values()), k=rng.choice((2, 4, 4, 4, 8)))
    tonic = "Im" if minor else "IM"
    if rng.random() < 0.65 or tonic not in loop:
        loop[0] = tonic
    return parse_loop(" ".join(loop))


def parse_loop(text):
    loop = []
    for symbol in text.split():
        name = max((n for n in ROMAN if symbol.startswith(n) and symbol[len(n):] in QUALITIES), key=len)
        loop.append((ROMAN[name], symbol[len(name):]))
    return loop


def generated_song(rng, seconds=None):
    """Verse, chorus and sometimes a bridge in another key, in one idiom; begins and mostly ends on the tonic."""
    names = list(IDIOMS)
    idiom = rng.choices(names, [IDIOMS[n][1] for n in names])[0]
    minor, _, scales, loops = IDIOMS[idiom]
    tonic, seconds = rng.randrange(12), seconds or rng.uniform(45, 200)
    beat = 60 / rng.uniform(65, 175)
    bar, notes, drums, now = 4 * beat, [], [], 0.0
    loud = {MELODY: rng.choice((0, 0.4, 0.7, 1)), INNER: rng.choice((0, 0.4, 0.7)), CHORDS: rng.choice((0.3, 0.6, 1)),
            BASS: rng.choice((0, 0.6, 0.9, 1))}
    same = rng.random() < 0.35  # one loop all through
    sections = {}
    for part in ("verse", "chorus", "bridge"):
        sections[part] = {
            "loop": random_loop(rng, minor) if rng.random() < 0.35 and "drone" not in idiom
            else parse_loop(rng.choice(loops)), "scale": SCALES[rng.choice(scales)], "shift": 0,
            "bars": rng.choice((1, 1, 1, 2, 0.5)), "comp": rng.choice(("hold", "strum", "arpeggio", "stabs")),
            "bass": rng.choice(("hold", "eighths", "root-fifth", "walk", "riff")), "rest": rng.uniform(0.1, 0.6)}
    if same:
        sections["chorus"]["loop"] = sections["bridge"]["loop"] = sections["verse"]["loop"]
    elif rng.random() < 0.35:
        relative = 3 if minor else 9
        sections["bridge"]["shift"] = rng.choice((relative, 5, 7, 2, 10))
    order = rng.choice(("vvcvcbcc", "vcvcbc", "vvbvbv", "cvcvbc", "vvvv", "vbvbv", "vc"))
    parts, i = {"v": "verse", "c": "chorus", "b": "bridge"}, 0
    drum_seed = rng.randrange(1 << 30) if rng.random() < 0.75 else None
    riff = [rng.randrange(5) for _ in range(8)]
    while now < seconds - bar:
        section = sections[parts[order[i % len(order)]]]
        i += 1
        lift = section["shift"]
        repeats = max(1, round(8 * bar / (len(section["loop"]) * section["bars"] * bar)))
        tune = make_tune(rng, section)
        for _ in range(repeats):
            for degree, quality in section["loop"]:
                root = tonic + lift + degree
                play_chord(notes, rng, section, root, quality, now, section["bars"] * bar, beat, loud, riff,
                           tonic + lift)
                play_tune(notes, rng, section, tune, tonic + lift, root, quality, now, section["bars"] * bar, beat,
                          loud)
                if drum_seed is not None:
                    steps = np.arange(0, int(section["bars"] * 4) + 1) * beat + now
                    drums += drum_track(steps, random.Random(drum_seed))
                now += section["bars"] * bar
                if now >= seconds - bar:
                    break
            if now >= seconds - bar:
                break
    if rng.random() < 0.7:  # the rest fade out
        for pitch in QUALITIES["m" if minor else "M"]:
            notes.append((now, 2 * bar, 48 + tonic % 12 + pitch, 0.7, CHORDS))
        notes.append((now, 2 * bar, 28 + (tonic - 28) % 12, 0.9 * max(loud[BASS], 0.3), BASS))
    return dict(finish(notes, drums, tonic, minor), idiom=idiom)


def make_tune(rng, section):
    """Two bars of eighths: scale steps (None is a rest), drawn towards the tonic, third and fifth."""
    size, step, tune = len(section["scale"]), 0, []
    for _ in range(16):
        if rng.random() < section["rest"]:
            tune.append(None)
            continue
        step += rng.choice((-2, -1, -1, 0, 1, 1, 2))
        if rng.random() < 0.2:
            step = rng.choice((0, 0, 2, size // 2 + 1, size))
        step = max(-4, min(size + 4, step))
        tune.append(step)
    return tune


def play_tune(notes, rng, section, tune, tonic, root, quality, start, seconds, beat, loud):
    if not loud[MELODY]:
        return
    scale = section["scale"]
    for k in range(int(seconds / (beat / 2) + 0.01)):
        step = tune[k % len(tune)]
        if step is None:
            continue
        pitch = 60 + tonic % 12 + 12 * (step // len(scale)) + scale[step % len(scale)]
        if k % 4 == 0 and rng.random() < 0.5:  # strong beats lean on the chord
            tones = [60 + (root + q) % 12 + 12 * o for q in QUALITIES[quality][:3] for o in (0, 1)]
            pitch = min(tones, key=lambda t: abs(t - pitch))
        notes.append((start + k * beat / 2, beat * rng.uniform(0.4, 1.1), pitch, loud[MELODY] * rng.uniform(0.6, 1),
                      MELODY))


def play_chord(notes, rng, section, root, quality, start, seconds, beat, loud, riff, tonic):
    tones = [48 + (root + q) % 12 + 12 * (q >= 12) for q in QUALITIES[quality]]
    tones += [t + 12 for t in tones if rng.random() < 0.4]
    volume, comp = loud[CHORDS], section["comp"]
    beats = int(seconds / beat + 0.01)
    if comp == "hold":
        notes += [(start, seconds, t, volume * 0.8, CHORDS) for t in tones]
    elif comp == "strum":
        notes += [(start + k * beat, beat, t, volume * 0.8, CHORDS) for k in range(beats) for t in tones]
    elif comp == "stabs":
        notes += [(start + (k + 0.5) * beat, beat * 0.3, t, volume, CHORDS) for k in range(beats) for t in tones]
    else:
        notes += [(start + k * beat / 2, beat, tones[k % len(tones)], volume, CHORDS) for k in range(2 * beats)]
    if loud[INNER]:
        notes += [(start, seconds, 60 + (root + q) % 12, loud[INNER] * 0.6, INNER) for q in QUALITIES[quality][:3]]
    low, bass = 28 + (root - 28) % 12, section["bass"]
    if not loud[BASS]:
        return
    volume = loud[BASS]
    if bass == "hold":
        notes.append((start, seconds, low, volume, BASS))
    elif bass == "eighths":
        notes += [(start + k * beat / 2, beat * 0.45, low, volume, BASS) for k in range(2 * beats)]
    elif bass == "root-fifth":
        notes += [(start + k * beat, beat * 0.9, low + (7 if k % 2 and quality != "o" else 0), volume, BASS)
                  for k in range(beats)]
    elif bass == "walk":
        line = [0, QUALITIES[quality][1], 7, 9 if quality in "M7 6 9" else 10]
        notes += [(start + k * beat, beat * 0.9, low + line[k % 4], volume, BASS) for k in range(beats)]
    else:
        scale = section["scale"]
        notes += [(start + k * beat / 2, beat * 0.45,
                   low if k % 3 == 0 else 28 + (tonic - 28) % 12 + scale[riff[k % 8] % len(scale)], volume, BASS)
                  for k in range(2 * beats)]
