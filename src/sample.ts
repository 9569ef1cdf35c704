import { writeFile } from 'node:fs/promises';

/** What the sample holds, so that a person can see that the answers are right. */
export const SAMPLE = { tempo: 124, key: 'A', mode: 'minor', bars: 8, beatsPerBar: 4, sampleRateHz: 44_100 };

const BEAT_S = 60 / SAMPLE.tempo;
/** One chord a bar, as MIDI note numbers: A minor, D minor, E major (its G sharp leads home), A minor; twice. */
const CHORDS = [
  [57, 60, 64],
  [57, 62, 65],
  [56, 59, 64],
  [57, 60, 64],
];
const BASS = [45, 38, 40, 45];

const frequencyHz = (note: number): number => 440 * 2 ** ((note - 69) / 12);

/** Noise that is the same on every machine (a linear congruential generator). */
function noiseSource(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

type Voice = (timeS: number) => number;

const tone =
  (note: number, decayS: number): Voice =>
  (t) => {
    const phase = 2 * Math.PI * frequencyHz(note) * t;
    const harmonics = Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.25 * Math.sin(3 * phase);
    return harmonics * Math.exp(-t / decayS) * Math.min(1, t / 0.004);
  };
const kick: Voice = (t) =>
  Math.sin(2 * Math.PI * (48 * t + 3 * (1 - Math.exp(-t / 0.02)))) * Math.exp(-t / 0.12);
const snare =
  (noise: () => number): Voice =>
  (t) =>
    (0.8 * noise() + 0.4 * Math.sin(2 * Math.PI * 190 * t)) * Math.exp(-t / 0.07);
const hat =
  (noise: () => number): Voice =>
  (t) =>
    noise() * Math.exp(-t / 0.02);

/** Renders the sample: eight bars of drums, bass and chords; mono, within ±1. */
export function renderSample(): Float32Array {
  const { bars, beatsPerBar, sampleRateHz } = SAMPLE;
  const signal = new Float32Array(Math.ceil(bars * beatsPerBar * BEAT_S * sampleRateHz));
  const add = (startS: number, lengthS: number, gain: number, voice: Voice): void => {
    const first = Math.round(startS * sampleRateHz);
    const count = Math.min(Math.round(lengthS * sampleRateHz), signal.length - first);
    for (let i = 0; i < count; i++) signal[first + i]! += gain * voice(i / sampleRateHz);
  };
  const noise = noiseSource();
  for (let bar = 0; bar < bars; bar++) {
    const barS = bar * beatsPerBar * BEAT_S;
    for (const note of CHORDS[bar % CHORDS.length]!) add(barS, beatsPerBar * BEAT_S, 0.08, tone(note, 1.2));
    for (let beat = 0; beat < beatsPerBar; beat++) {
      const beatS = barS + beat * BEAT_S;
      add(beatS, 0.4, beat === 0 ? 0.45 : 0.34, kick);
      if (beat % 2 === 1) add(beatS, 0.3, 0.25, snare(noise));
      for (const half of [0, 0.5]) add(beatS + half * BEAT_S, 0.1, 0.1, hat(noise));
      add(beatS, BEAT_S, 0.2, tone(BASS[bar % BASS.length]!, 0.3));
    }
  }
  return signal;
}

/** The sample as a WAV file (16 bit, mono). */
export function sampleWav(): Buffer {
  const signal = renderSample();
  const wav = Buffer.alloc(44 + 2 * signal.length);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16); // size of the format chunk
  wav.writeUInt16LE(1, 20); // PCM
  wav.writeUInt16LE(1, 22); // channels
  wav.writeUInt32LE(SAMPLE.sampleRateHz, 24);
  wav.writeUInt32LE(2 * SAMPLE.sampleRateHz, 28); // bytes a second
  wav.writeUInt16LE(2, 32); // bytes a frame
  wav.writeUInt16LE(16, 34); // bits a sample
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(2 * signal.length, 40);
  signal.forEach((sample, i) =>
    wav.writeInt16LE(Math.round(32_767 * Math.max(-1, Math.min(1, sample))), 44 + 2 * i),
  );
  return wav;
}

/** Writes the sample to `path`. */
export async function writeSample(path: string): Promise<void> {
  await writeFile(path, sampleWav());
}
