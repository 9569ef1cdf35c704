const sampleRateHz = 8000;
const durationS = 0.6;

/** A short tone with clicks as a WAV file (16 bit, mono); each number gives another one. */
export function wav(number: number): Buffer {
  const samples = Math.round(sampleRateHz * durationS);
  const file = Buffer.alloc(44 + 2 * samples);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16); // size of the format chunk
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(1, 22); // channels
  file.writeUInt32LE(sampleRateHz, 24);
  file.writeUInt32LE(2 * sampleRateHz, 28); // bytes a second
  file.writeUInt16LE(2, 32); // bytes a frame
  file.writeUInt16LE(16, 34); // bits a sample
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(2 * samples, 40);
  for (let i = 0; i < samples; i++) {
    const value = 0.5 * Math.sin((2 * Math.PI * (200 + number) * i) / sampleRateHz);
    file.writeInt16LE(Math.round(32_767 * value), 44 + 2 * i);
  }
  return file;
}
