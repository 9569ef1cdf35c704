import type { Readable } from 'node:stream';
import { CanceledError } from '../errors.js';
import type { JobStorage, WrittenFile } from '../jobs/storage.js';
import { type PayloadLimits, tooLarge, watchSpeed } from './payload.js';

/** What may wait for the disk before the sender is made to wait. */
const bufferedBytes = 4 << 20;

/**
 * Takes a body to the disk while hashing it. The file is released with the request unless a job keeps it.
 *
 * Throws ApiError payload_too_large, service_unavailable (the storage is full), bad_request (too slow), or CanceledError
 * when the sender goes away. Nothing is left on the disk then.
 */
export async function stageUpload(
  stream: Readable,
  limits: PayloadLimits,
  storage: JobStorage,
): Promise<WrittenFile> {
  const pieces = new Pieces(stream, limits);
  const writer = await storage.create();
  try {
    for (let piece = await pieces.next(); piece; piece = await pieces.next()) await writer.write(piece);
    return await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    pieces.detach();
  }
}

/**
 * The pieces of a stream one after another. An async iterator of the stream itself would destroy it when it is left
 * early, and with it the connection on which the sender is to be told why.
 */
class Pieces {
  readonly #stream: Readable;
  readonly #maxBytes: number;
  readonly #unwatch: () => void;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #byteLength = 0;
  #isEnded = false;
  #error: Error | undefined;
  #wake: () => void = () => {};

  constructor(stream: Readable, limits: PayloadLimits) {
    this.#stream = stream;
    this.#maxBytes = limits.maxBytes;
    this.#unwatch = watchSpeed(stream, limits, (error) => this.#fail(error));
    stream
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onGone)
      .on('close', this.#onGone);
    if (stream.destroyed && !stream.readableEnded) this.#onGone();
  }

  /** Undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    while (this.#waiting.length === 0 && !this.#isEnded && !this.#error)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#error) throw this.#error;
    // Pieces can be tiny; together they are one write.
    const joined = this.#waiting.length > 1 ? Buffer.concat(this.#waiting) : this.#waiting[0];
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    this.#stream.resume();
    return joined;
  }

  detach(): void {
    this.#unwatch();
    const stream = this.#stream;
    stream
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onGone)
      .off('close', this.#onGone);
    // What still comes is read and dropped, so that the sender can read the answer.
    stream.on('error', () => {});
    stream.resume();
  }

  readonly #onData = (piece: Buffer): void => {
    this.#byteLength += piece.length;
    if (this.#byteLength > this.#maxBytes) {
      this.#fail(tooLarge(this.#maxBytes));
      return;
    }
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#waitingBytes >= bufferedBytes) this.#stream.pause();
    this.#wake();
  };

  readonly #onEnd = (): void => {
    this.#isEnded = true;
    this.#wake();
  };

  readonly #onGone = (): void => {
    if (!this.#isEnded) this.#fail(new CanceledError('The upload was cut off.'));
  };

  #fail(error: Error): void {
    this.#error ??= error;
    this.#wake();
  }
}
