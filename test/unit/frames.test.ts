import t from 'tap';
import { frameHeader, FrameReader, FrameType, jsonFrame } from '../../src/engine/frames.js';

t.test('frames come out as they went in, however the stream is cut', async (t) => {
  const audio = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256));
  const stream = Buffer.concat([
    jsonFrame(FrameType.request, 7, { byteLength: 1000, name: 'ü' }),
    frameHeader(FrameType.audio, 7, audio.length),
    audio,
    jsonFrame(FrameType.cancel, 0xffff_ffff, null),
  ]);
  for (const cut of [1, 2, 3, 9, 10, 100, stream.length]) {
    const json: unknown[] = [];
    const pieces: Buffer[] = [];
    const reader = new FrameReader({
      json: (type, id, value) => json.push([type, id, value]),
      audio: (id, piece) => {
        t.equal(id, 7);
        pieces.push(Buffer.from(piece));
      },
    });
    for (let at = 0; at < stream.length; at += cut) reader.push(stream.subarray(at, at + cut));
    t.same(json, [
      [FrameType.request, 7, { byteLength: 1000, name: 'ü' }],
      [FrameType.cancel, 0xffff_ffff, null],
    ]);
    t.ok(Buffer.concat(pieces).equals(audio), `cut every ${cut} bytes`);
  }
});
