// Sound and sound files made from nothing, for tests.

export interface WavOptions {
  sampleRateHz?: number;
  channels?: number;
  /** 16-bit integer or 32-bit float samples. */
  format?: 'int16' | 'float32';
  /** What the header claims the data to hold, where that is a lie. */
  claimedDataBytes?: number;
}

/** A WAV file of `frames` frames; `sample` gives the value of a frame and channel, within ±1. */
export function wav(
  frames: number,
  sample: (frame: number, channel: number) => number,
  options: WavOptions = {},
): Buffer {
  const { sampleRateHz = 44_100, channels = 1, format = 'int16' } = options;
  const width = format === 'int16' ? 2 : 4;
  const dataBytes = frames * channels * width;
  const file = Buffer.alloc(44 + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(format === 'int16' ? 1 : 3, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(sampleRateHz, 24);
  file.writeUInt32LE(sampleRateHz * channels * width, 28);
  file.writeUInt16LE(channels * width, 32);
  file.writeUInt16LE(width * 8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(options.claimedDataBytes ?? dataBytes, 40);
  let offset = 44;
  for (let frame = 0; frame < frames; frame++) {
    for (let channel = 0; channel < channels; channel++) {
      const value = sample(frame, channel);
      if (format === 'int16') file.writeInt16LE(Math.round(32_767 * value), offset);
      else file.writeFloatLE(value, offset);
      offset += width;
    }
  }
  return file;
}

/** A sine of `frequencyHz` at `level` (1 is full scale), for `wav`. */
export function sine(frequencyHz: number, level: number, sampleRateHz = 44_100): (frame: number) => number {
  return (frame) => level * Math.sin((2 * Math.PI * frequencyHz * frame) / sampleRateHz);
}

/** Clicks on every beat over a chord of C major: `seconds` of something with a tempo and a key. */
export function beats(tempo: number, seconds: number, sampleRateHz = 44_100): Buffer {
  const period = (60 / tempo) * sampleRateHz;
  const chord = [261.63, 329.63, 392].map((hz) => sine(hz, 0.1, sampleRateHz));
  return wav(
    Math.round(seconds * sampleRateHz),
    (frame) => {
      const sinceBeat = frame % period;
      const click = sinceBeat < 800 ? 0.6 * Math.exp(-sinceBeat / 150) * Math.sin(sinceBeat * 0.3) : 0;
      return click + chord.reduce((sum, tone) => sum + tone(frame), 0);
    },
    { sampleRateHz },
  );
}

/**
 * An MP3 of silence: frames of MPEG-1 layer III, 128 kbit/s, 44.1 kHz, mono, whose side information is all zero, which
 * stands for no spectrum at all (ISO/IEC 11172-3, 2.4.1.7).
 */
export function silentMp3(frames: number): Buffer {
  const frameBytes = 417;
  const file = Buffer.alloc(frames * frameBytes);
  for (let i = 0; i < frames; i++) file.set([0xff, 0xfb, 0x90, 0xc0], i * frameBytes);
  return file;
}

/** A FLAC file of 16-bit mono noise, each block stored verbatim (RFC 9639). */
export function flac(blocks: number, sampleRateHz = 44_100): Buffer {
  const blockSize = 4096;
  const info = Buffer.alloc(34);
  info.writeUInt16BE(blockSize, 0);
  info.writeUInt16BE(blockSize, 2);
  const total = BigInt(blocks * blockSize);
  // 20 bits sample rate, 3 bits channels − 1, 5 bits depth − 1, 36 bits samples
  info.writeBigUInt64BE((BigInt(sampleRateHz) << 44n) | (15n << 36n) | total, 10);
  const parts = [Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info];
  let state = 1;
  for (let block = 0; block < blocks; block++) {
    // Sync code, fixed block size; 4096 samples at 44.1 kHz; mono, 16 bit; number of the block (one byte up to 127).
    const header = Buffer.from([0xff, 0xf8, 0xc9, 0x08, block]);
    const samples = Buffer.alloc(blockSize * 2);
    for (let i = 0; i < blockSize; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      samples.writeInt16BE((state >>> 16) - 32_768, i * 2);
    }
    const frame = Buffer.concat([header, Buffer.from([crc(header, 8, 0x07), 0x02]), samples]);
    const check = Buffer.alloc(2);
    check.writeUInt16BE(crc(frame, 16, 0x8005), 0);
    parts.push(frame, check);
  }
  return Buffer.concat(parts);
}

function crc(bytes: Buffer, width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1);
  const mask = (1 << width) - 1;
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) value = (value & top ? (value << 1) ^ polynomial : value << 1) & mask;
  }
  return value;
}

/** An MP4 whose only track is a video of no pictures (ISO/IEC 14496-12). */
export function videoOnlyMp4(): Buffer {
  const zeros = (count: number) => Buffer.alloc(count);
  const u32 = (...values: number[]) =>
    Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])));
  const box = (type: string, ...content: Buffer[]) => {
    const body = Buffer.concat(content);
    return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
  };
  const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const picture = Buffer.concat([
    zeros(6),
    Buffer.from([0, 1]),
    zeros(16),
    Buffer.from([0, 16, 0, 16]),
    u32(0x480000, 0x480000, 0),
    Buffer.from([0, 1]),
    zeros(32),
    Buffer.from([0, 24, 255, 255]),
  ]);
  const table = box(
    'stbl',
    box('stsd', u32(0, 1), box('mp4v', picture)),
    ...['stts', 'stsc', 'stco'].map((type) => box(type, u32(0, 0))),
    box('stsz', u32(0, 0, 0)),
  );
  const data = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))));
  const media = box(
    'mdia',
    box('mdhd', u32(0, 0, 0, 1000, 1000, 0x55c40000)),
    box('hdlr', u32(0, 0), Buffer.from('vide'), zeros(13)),
    box('minf', box('vmhd', u32(1, 0, 0)), data, table),
  );
  const track = box(
    'trak',
    box('tkhd', u32(3, 0, 0, 1, 0, 1000, 0, 0, 0, 0), matrix, u32(0x100000, 0x100000)),
    media,
  );
  const movie = box(
    'moov',
    box('mvhd', u32(0, 0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0), matrix, zeros(24), u32(2)),
    track,
  );
  return Buffer.concat([
    box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isommp41')),
    movie,
    box('mdat', zeros(64)),
  ]);
}
