import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ApiError, CanceledError } from '../errors.js';
import type { UploadMemory } from './upload-memory.js';

export interface PayloadLimits {
  maxBytes: number;
  /** 0: any speed will do. */
  minBytesPerS: number;
  graceS: number;
}

/** Bytes received, in memory, with their hash. `release` must be called once they are no longer needed. */
export interface Payload {
  chunks: Buffer[];
  byteLength: number;
  sha256: Buffer;
  release: () => void;
}

const blockBytes = 1 << 20;

/**
 * Takes a body into memory while hashing it. The bytes are copied into blocks of 1 MiB, since a body that comes in
 * thousands of tiny pieces would otherwise cost many times its size.
 *
 * Throws ApiError payload_too_large, service_unavailable (no memory left for uploads), bad_request (too slow), or
 * CanceledError when the sender goes away. The memory is given back then.
 */
export function receivePayload(
  stream: Readable,
  limits: PayloadLimits,
  memory: UploadMemory,
): Promise<Payload> {
  return new Promise((resolve, reject) => {
    const blocks = new Blocks(memory);
    const unwatch = watchSpeed(stream, limits, fail);

    function onData(piece: Buffer): void {
      try {
        if (blocks.byteLength + piece.length > limits.maxBytes) throw tooLarge(limits.maxBytes);
        blocks.append(piece);
      } catch (error) {
        fail(error as Error);
      }
    }
    function onEnd(): void {
      detach();
      resolve(blocks.finish());
    }
    function onGone(): void {
      fail(new CanceledError('The upload was cut off.'));
    }
    function fail(error: Error): void {
      detach();
      blocks.release();
      // What still comes is read and dropped, so that the sender can read the answer.
      stream.on('error', () => {});
      stream.resume();
      reject(error);
    }
    function detach(): void {
      unwatch();
      stream.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    }
    stream.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
    if (stream.destroyed && !stream.readableEnded) onGone();
  });
}

/** Calls `fail` when a body comes too slowly; returns how to stop watching. */
export function watchSpeed(
  stream: Readable,
  limits: PayloadLimits,
  fail: (error: Error) => void,
): () => void {
  const { minBytesPerS, graceS } = limits;
  if (minBytesPerS === 0) return () => {};
  const startedAt = performance.now();
  let lastPieceAt = startedAt;
  let byteLength = 0;
  const count = (piece: Buffer) => {
    lastPieceAt = performance.now();
    byteLength += piece.length;
  };
  const timer = setInterval(
    () => {
      const now = performance.now();
      const ageS = (now - startedAt) / 1000;
      const pauseS = (now - lastPieceAt) / 1000;
      if (pauseS > graceS || (ageS > graceS && byteLength / ageS < minBytesPerS)) fail(tooSlow(limits));
    },
    Math.min(1000, graceS * 250),
  );
  stream.on('data', count);
  return () => {
    clearInterval(timer);
    stream.off('data', count);
  };
}

class Blocks {
  byteLength = 0;
  readonly #memory: UploadMemory;
  readonly #hash: Hash = createHash('sha256');
  readonly #full: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;
  #taken = 0;

  constructor(memory: UploadMemory) {
    this.#memory = memory;
  }

  append(piece: Buffer): void {
    let offset = 0;
    while (offset < piece.length) {
      this.#block ??= this.#newBlock();
      const copied = piece.copy(this.#block, this.#filled, offset);
      this.#filled += copied;
      offset += copied;
      if (this.#filled === this.#block.length) this.#close(this.#block);
    }
    this.byteLength += piece.length;
  }

  finish(): Payload {
    if (this.#block) this.#close(this.#block.subarray(0, this.#filled));
    const sha256 = this.#hash.digest();
    return { chunks: this.#full, byteLength: this.byteLength, sha256, release: () => this.release() };
  }

  release(): void {
    this.#memory.give(this.#taken);
    this.#taken = 0;
    this.#full.length = 0;
    this.#block = undefined;
  }

  #newBlock(): Buffer {
    this.#memory.take(blockBytes);
    this.#taken += blockBytes;
    this.#filled = 0;
    return Buffer.allocUnsafeSlow(blockBytes);
  }

  #close(block: Buffer): void {
    this.#hash.update(block);
    this.#full.push(block);
    this.#block = undefined;
  }
}

export function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'payload_too_large',
    `The payload is larger than ${maxBytes / 2 ** 20} MiB, the most that is accepted.`,
    {
      details: { max_bytes: maxBytes },
    },
  );
}

function tooSlow({ minBytesPerS, graceS }: PayloadLimits): ApiError {
  return new ApiError(
    'bad_request',
    `The upload was too slow: after ${graceS} s at least ${minBytesPerS} bytes a second are expected, without long pauses. Send it again over a faster connection.`,
  );
}
