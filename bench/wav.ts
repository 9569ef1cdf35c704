/** A WAV file of 32-bit floats; `channels` are of one length, `channelMask` as in WAVEFORMATEXTENSIBLE. */
export function floatWav(
  channels: readonly Float32Array[],
  sampleRateHz: number,
  channelMask: number,
): Buffer {
  const frames = channels[0]?.length ?? 0;
  const blockAlign = 4 * channels.length;
  const header = Buffer.alloc(68);
  header.write('RIFF', 0);
  header.writeUInt32LE(60 + frames * blockAlign, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(40, 16);
  header.writeUInt16LE(0xfffe, 20); // extensible
  header.writeUInt16LE(channels.length, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * blockAlign, 28);
  header.writeUInt16LE(blockAlign, 32);
  header.writeUInt16LE(32, 34);
  header.writeUInt16LE(22, 36);
  header.writeUInt16LE(32, 38);
  header.writeUInt32LE(channelMask, 40);
  Buffer.from('0300000000001000800000aa00389b71', 'hex').copy(header, 44); // KSDATAFORMAT_SUBTYPE_IEEE_FLOAT
  header.write('data', 60);
  header.writeUInt32LE(frames * blockAlign, 64);
  const data = Buffer.alloc(frames * blockAlign);
  const samples = new Float32Array(data.buffer, data.byteOffset, frames * channels.length);
  channels.forEach((channel, c) => {
    for (let i = 0; i < frames; i++) samples[i * channels.length + c] = channel[i]!;
  });
  return Buffer.concat([header, data]);
}
