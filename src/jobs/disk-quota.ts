import { statfsSync } from 'node:fs';
import { ApiError } from '../errors.js';

/** Left free whatever the quota says, for the database to go on working. */
const reservedFreeBytes = 256 * 2 ** 20;

/** service_unavailable, because there is no room for files of jobs. */
export class StorageFullError extends ApiError {
  constructor() {
    super(
      'service_unavailable',
      'The storage for jobs is full. Nothing was accepted or billed; send the request again later.',
      { headers: { 'retry-after': '60' } },
    );
  }
}

/** What all files of jobs, uploads and results, may take on the disk together. */
export class DiskQuota {
  readonly #directory: string;
  readonly #limitBytes: number;
  #usedBytes = 0;

  constructor(directory: string, limitBytes: number) {
    this.#directory = directory;
    this.#limitBytes = limitBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Throws StorageFullError, before the bytes are written, when the quota or the disk has no room for them. */
  take(bytes: number): void {
    const { bavail, bsize } = statfsSync(this.#directory);
    const isFull = this.#usedBytes + bytes > this.#limitBytes;
    if (isFull || bavail * bsize - bytes < reservedFreeBytes) throw new StorageFullError();
    this.#usedBytes += bytes;
  }

  /** What is there already when the service starts. */
  count(bytes: number): void {
    this.#usedBytes += bytes;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}
