"""Renders songs of corpus.py with FluidSynth to raw mono 32-bit floats at 22050 Hz, under named conditions.

    render.py POP909_ROOT OUT COUNT [PART PARTS [CONDITION]]

writes OUT/<condition>-<n>.f32 and a line of OUT/labels-PART.tsv each: name, song, tonic, minor, cents off 440 Hz.
"""
import os
import random
import subprocess
import sys

import mido
import numpy as np

import corpus

RATE = 22050
SOUNDFONTS = ("/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2")
CONDITIONS = ("piano", "band", "detuned", "codec", "rough", "modal")
PROGRAMS = {
    corpus.MELODY: (52, 53, 54, 65, 66, 73, 56, 40, 80, 81, 85, 24, 27, 29, 30, 71),
    corpus.INNER: (48, 49, 61, 62, 89, 26, 27, 4, 40, 73, 16, 18),
    corpus.CHORDS: (0, 1, 4, 5, 24, 25, 26, 27, 28, 29, 30, 48, 50, 88, 16, 18, 6, 11),
    corpus.BASS: (32, 33, 34, 35, 36, 37, 38, 39),
}


def midi_file(song, programs, cents, vibrato=0.0):
    midi, track = mido.MidiFile(ticks_per_beat=960), mido.MidiTrack()
    midi.tracks.append(track)
    track.append(mido.MetaMessage("set_tempo", tempo=1000000))
    for role, program in programs.items():
        track.append(mido.Message("program_change", channel=role, program=program))
        track.append(mido.Message("pitchwheel", channel=role, pitch=int(round(cents / 200 * 8192))))
    events = []
    for start, duration, pitch, velocity, role in song["notes"]:
        if role in programs and 0 <= pitch < 128:
            events.append((start, 1, int(role), int(pitch), max(1, min(127, int(velocity * 120)))))
            events.append((start + max(0.03, duration), 0, int(role), int(pitch), 0))
    for start, drum, velocity in song["drums"]:
        events.append((start, 1, 9, int(drum), max(1, min(127, int(velocity * 120)))))
    if vibrato:  # a singer's or a fiddler's: cents to either side, 5.5 times a second, on the melody
        for k in range(int(song["seconds"] * 22)):
            bend = cents + vibrato * np.sin(2 * np.pi * 5.5 * k / 22)
            events.append((k / 22, -1, corpus.MELODY, int(round(bend / 200 * 8192)), 0))
    last = 0
    for start, on, channel, pitch, velocity in sorted(events):
        tick = int(start * 960)
        wait = max(0, tick - last)
        track.append(mido.Message("pitchwheel", channel=channel, pitch=pitch, time=wait) if on < 0 else
                     mido.Message("note_on" if on else "note_off", channel=channel, note=pitch, velocity=velocity,
                                  time=wait))
        last = max(last, tick)
    return midi


def through_codec(signal, rng):
    codec = rng.choice((["-c:a", "libmp3lame", "-b:a", "56k", "-f", "mp3"], ["-c:a", "aac", "-b:a", "40k", "-f", "adts"],
                        ["-c:a", "libopus", "-b:a", "24k", "-f", "ogg"]))
    raw = ["-f", "f32le", "-ar", str(RATE), "-ac", "1"]
    coded = subprocess.run(["ffmpeg", "-v", "error", *raw, "-i", "-", *codec, "-"], input=signal.tobytes(),
                           stdout=subprocess.PIPE, check=True).stdout
    back = subprocess.run(["ffmpeg", "-v", "error", "-i", "-", *raw, "-"], input=coded, stdout=subprocess.PIPE,
                          check=True).stdout
    return np.frombuffer(back, np.float32)


def roughened(signal, rng, noise):
    """Saturation, spectral tilt, two broad equaliser bands, noise."""
    drive = rng.uniform(1, 5)
    signal = np.tanh(drive * signal) / np.tanh(drive)
    spectrum, hz = np.fft.rfft(signal), np.fft.rfftfreq(len(signal), 1 / RATE)
    gain = rng.uniform(-4, 4) * np.log2(np.maximum(hz, 30) / 1000)
    for _ in range(2):
        centre = np.exp(rng.uniform(np.log(80), np.log(6000)))
        gain += rng.uniform(-9, 9) * np.exp(-np.log2(np.maximum(hz, 20) / centre) ** 2)
    signal = np.fft.irfft(spectrum * 10 ** (gain / 20), len(signal))
    signal = signal / (np.abs(signal).max() + 1e-9)
    return signal + noise.standard_normal(len(signal)) * 10 ** (rng.uniform(-60, -30) / 20)


def render(song, condition, rng, scratch, seconds=60.0):
    cents = rng.uniform(-40, 40) if condition in ("detuned", "rough", "modal") else 0.0
    programs = {role: rng.choice(PROGRAMS[role]) for role in PROGRAMS}
    if condition == "piano":
        programs, song = {role: 0 for role in (corpus.MELODY, corpus.INNER, corpus.CHORDS)}, dict(song, drums=[])
    vibrato = rng.choice((0, 15, 35, 60)) if condition in ("rough", "modal") else 0
    midi_file(song, programs, cents, vibrato).save(scratch + ".mid")
    subprocess.run(["fluidsynth", "-ni", "-q", "-r", str(RATE), "-g", "0.5", "-R", str(int(rng.random() < 0.5)),
                    "-C", "0", "-T", "raw", "-O", "s16", "-F", scratch + ".raw", rng.choice(SOUNDFONTS), scratch + ".mid"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    signal = np.fromfile(scratch + ".raw", np.int16).reshape(-1, 2).mean(1)[: int(seconds * RATE)]
    signal = signal / (np.abs(signal).max() + 1e-9) * 0.8
    if condition in ("rough", "modal"):
        signal = roughened(signal, rng, np.random.default_rng(rng.randrange(2 ** 31)))
    signal = signal.astype(np.float32)
    lossy = condition in ("codec", "rough") or (condition == "modal" and rng.random() < 0.4)
    return (through_codec(signal, rng) if lossy else signal), cents


def main():
    root, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    part, parts = (int(a) for a in sys.argv[4:6]) if len(sys.argv) > 5 else (0, 1)
    conditions = sys.argv[6:7] or CONDITIONS
    os.makedirs(out, exist_ok=True)
    songs, seconds = sorted(corpus.pop909_keys(root)), 60.0
    with open(f"{out}/labels-{part}.tsv", "w") as labels:
        for n in range(part, count, parts):
            rng = random.Random(f"{n} {len(conditions)}")
            condition = conditions[n % len(conditions)]
            if condition == "modal":
                name, song = "generated", corpus.generated_song(rng, 75)
            else:
                name = songs[n * 7 % len(songs)]
                song = corpus.pop909_song(root, name, rng)
            # A third each: the beginning, the end, somewhere between.
            spare = max(0.0, song["seconds"] - seconds)
            song = corpus.excerpt(song, rng.choice((0, spare, rng.uniform(0, spare))), seconds)
            signal, cents = render(song, condition, rng, f"{out}/scratch-{part}", seconds)
            signal.astype("<f4").tofile(f"{out}/{condition}-{n:04d}.f32")
            labels.write(f"{condition}-{n:04d}\t{name}\t{song['tonic']}\t{int(song['minor'])}\t{cents:.1f}\n")
            labels.flush()


if __name__ == "__main__":
    main()
