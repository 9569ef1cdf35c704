import { serviceUnavailable } from '../errors.js';

/** What all uploads in flight may hold in memory together. */
export class UploadMemory {
  readonly #limitBytes: number;
  #usedBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Throws ApiError service_unavailable when there is no room. */
  take(bytes: number): void {
    if (this.#usedBytes + bytes > this.#limitBytes) {
      throw serviceUnavailable('Too many uploads are under way. Send the request again in a moment.', 2);
    }
    this.#usedBytes += bytes;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}
