"""A bank of single notes, baked once with FluidSynth, from which clips are mixed by adding samples.

Synthesising a clip live costs about a second of CPU; adding baked notes costs a twentieth of that, which is
what makes thousands of clips affordable on two cores. Every General MIDI program of each soundfont is baked
at every fourth semitone (the mixer resamples to the pitches between), every drum kit at every key of the
percussion map.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import tempfile

import mido
import numpy as np
from scipy.io import wavfile

SAMPLE_RATE = 22050
SOUNDFONTS = ("/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2")
KITS = (0, 8, 16, 24, 25, 32, 40, 48)
PITCH_STEP = 4
PITCHES = tuple(range(28, 101, PITCH_STEP))
DRUM_KEYS = tuple(range(27, 88))
NOTE_S, DRUM_S, GAP_S = 2.4, 1.4, 0.2
TICKS_PER_S = 960


def _jobs():
    """(soundfont index, channel, program, keys, seconds a key) of every program and kit."""
    for font in range(len(SOUNDFONTS)):
        for program in range(128):
            yield font, 0, program, PITCHES, NOTE_S
        for kit in KITS:
            yield font, 9, kit, DRUM_KEYS, DRUM_S


def _bake(job):
    font, channel, program, keys, seconds = job
    track = mido.MidiTrack([mido.MetaMessage("set_tempo", tempo=1_000_000)])
    track.append(mido.Message("program_change", channel=channel, program=program))
    slot = round((seconds + GAP_S) * TICKS_PER_S)
    for key in keys:
        track.append(mido.Message("note_on", channel=channel, note=key, velocity=100, time=0))
        track.append(
            mido.Message("note_off", channel=channel, note=key, velocity=0, time=round(seconds * TICKS_PER_S))
        )
        track.append(
            mido.Message("control_change", channel=channel, control=120, value=0, time=slot - track[-1].time)
        )
    midi = mido.MidiFile(ticks_per_beat=TICKS_PER_S, tracks=[track])
    with tempfile.TemporaryDirectory() as folder:
        score, wave = os.path.join(folder, "n.mid"), os.path.join(folder, "n.wav")
        midi.save(score)
        command = ["fluidsynth", "-niq", "-r", str(SAMPLE_RATE), "-R0", "-C0", "-g", "0.7", "-F", wave]
        subprocess.run([*command, SOUNDFONTS[font], score], check=True, capture_output=True)
        audio = wavfile.read(wave)[1].astype(np.float32).mean(axis=1)
    notes = []
    for i, key in enumerate(keys):
        start = round(i * slot / TICKS_PER_S * SAMPLE_RATE)
        note = audio[start : start + round(seconds * SAMPLE_RATE)]
        loud = np.nonzero(np.abs(note) > 20)[0]
        if len(loud) > 50:
            notes.append((key, note[: loud[-1] + 1].astype(np.int16)))
    return (font, channel == 9, program), notes


def bake(folder):
    os.makedirs(folder, exist_ok=True)
    index, offset = {}, 0
    with open(os.path.join(folder, "notes.s16"), "wb") as out, multiprocessing.Pool(2) as pool:
        for (font, drums, program), notes in pool.imap(_bake, _jobs(), chunksize=4):
            for key, samples in notes:
                index[f"{font}/{'kit' if drums else 'program'}/{program}/{key}"] = (offset, len(samples))
                out.write(samples.tobytes())
                offset += len(samples)
    with open(os.path.join(folder, "notes.json"), "w") as out:
        json.dump(index, out)


class SoundBank:
    """Read-only view of a baked bank; pages are shared between processes."""

    def __init__(self, folder):
        with open(os.path.join(folder, "notes.json")) as source:
            self._index = json.load(source)
        self._samples = np.memmap(os.path.join(folder, "notes.s16"), np.int16, "r")
        self._cache = {}

    def start_clip(self):
        self._cache.clear()

    def _raw(self, name):
        entry = self._index.get(name)
        if entry is None:
            return None
        offset, length = entry
        return self._samples[offset : offset + length].astype(np.float32) / 32768

    def drum(self, font, kit, key, detune=0.0):
        """One stroke, or None where the kit has no such sound."""
        name = f"{font}/kit/{kit}/{key}"
        if name not in self._cache:
            note = self._raw(name)
            if note is None and kit != 0:
                note = self._raw(f"{font}/kit/0/{key}")
            self._cache[name] = None if note is None else _resample(note, 2 ** (detune / 12))
        return self._cache[name]

    def note(self, font, program, pitch, detune=0.0):
        """One held note of up to NOTE_S seconds at `pitch` (MIDI number) plus `detune` semitones."""
        name = f"{font}/program/{program}/{pitch}"
        if name not in self._cache:
            key = min(
                max(PITCHES[0] + PITCH_STEP * round((pitch - PITCHES[0]) / PITCH_STEP), PITCHES[0]),
                PITCHES[-1],
            )
            note = self._raw(f"{font}/program/{program}/{key}")
            self._cache[name] = None if note is None else _resample(note, 2 ** ((pitch + detune - key) / 12))
        return self._cache[name]


def _resample(samples, ratio):
    if abs(ratio - 1) < 1e-4:
        return samples
    position = np.arange(int((len(samples) - 2) / ratio)) * ratio
    whole = position.astype(np.int64)
    fraction = (position - whole).astype(np.float32)
    return samples[whole] * (1 - fraction) + samples[whole + 1] * fraction


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    bake(parser.parse_args().folder)
