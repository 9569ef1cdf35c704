// What shell and engine process say to each other over a socket pair: frames of
//   byteLength u32 LE · type u8 · request id u32 LE · payload
// Audio goes as raw bytes, in pieces; everything else is small and goes as JSON.

export const FrameType = {
  /** engine → shell, once: EngineReady */
  ready: 1,
  /** shell → engine: JobRequest; `byteLength` bytes of audio follow in `audio` frames */
  request: 2,
  audio: 3,
  /** shell → engine: nobody waits for this request any more */
  cancel: 4,
  /** engine → shell: the outcome, the last frame of a request */
  outcome: 5,
} as const;
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

export const headerBytes = 9;
export const maxFrameBytes = 1 << 20;

export function frameHeader(type: FrameType, id: number, byteLength: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32LE(byteLength, 0);
  header.writeUInt8(type, 4);
  header.writeUInt32LE(id, 5);
  return header;
}

export function jsonFrame(type: FrameType, id: number, value: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(value));
  return Buffer.concat([frameHeader(type, id, payload.length), payload]);
}

export interface FrameHandler {
  json(type: FrameType, id: number, value: unknown): void;
  /** A piece of an audio frame, as soon as it is there; valid during the call only. */
  audio(id: number, piece: Buffer): void;
}

/** Takes the stream apart again, however it was cut into chunks. */
export class FrameReader {
  readonly #handler: FrameHandler;
  readonly #header = Buffer.alloc(headerBytes);
  #headerFilled = 0;
  #remaining = 0;
  #json: Buffer[] = [];

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  push(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#headerFilled < headerBytes) {
        const copied = chunk.copy(this.#header, this.#headerFilled, offset);
        this.#headerFilled += copied;
        offset += copied;
        if (this.#headerFilled < headerBytes) return;
        this.#remaining = this.#header.readUInt32LE(0);
      }
      const piece = chunk.subarray(offset, offset + this.#remaining);
      offset += piece.length;
      this.#remaining -= piece.length;
      this.#take(piece);
      if (this.#remaining === 0) this.#headerFilled = 0;
    }
  }

  #take(piece: Buffer): void {
    const type = this.#header.readUInt8(4) as FrameType;
    const id = this.#header.readUInt32LE(5);
    if (type === FrameType.audio) {
      this.#handler.audio(id, piece);
      return;
    }
    this.#json.push(piece);
    if (this.#remaining > 0) return;
    const text = Buffer.concat(this.#json).toString();
    this.#json = [];
    this.#handler.json(type, id, JSON.parse(text));
  }
}
