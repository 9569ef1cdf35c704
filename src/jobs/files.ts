import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.js';
import type { JobFile } from '../store/job-files.js';
import type { Store } from '../store/store.js';

/** The service's own address as clients see it; known once it listens. */
export interface Address {
  base: string;
}

/** Downloads of results: addresses that carry their own right of access until they expire. */
export class JobFiles {
  readonly #store: Store;
  readonly #address: Address;
  readonly #key: Buffer;
  readonly #now: () => number;

  constructor(store: Store, address: Address, now: () => number = Date.now) {
    this.#store = store;
    this.#address = address;
    this.#key = store.jobFiles.signingKey(randomBytes(32));
    this.#now = now;
  }

  list(jobId: string): JobFile[] {
    return this.#store.jobFiles.list(jobId);
  }

  urlOf({ jobId, name, expiresAt }: Pick<JobFile, 'jobId' | 'name' | 'expiresAt'>): string {
    const expires = Math.floor(expiresAt / 1000);
    const signature = this.#sign(jobId, name, expires).toString('base64url');
    return `${this.#address.base}/v1/files/${jobId}/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
  }

  /** Throws ApiError not_found for an address that was not given out, file_expired for one whose time is over. */
  find(jobId: string, name: string, expires: number, signature: string): JobFile {
    const expected = this.#sign(jobId, name, expires);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new ApiError(
        'not_found',
        'There is no such file: the address is not one that the service gave out. Take it whole from the result of the job.',
      );
    }
    const file = this.#store.jobFiles.get(jobId, name);
    if (!file || expires * 1000 <= this.#now()) {
      throw new ApiError(
        'file_expired',
        'The file has expired and is deleted. Submit the job again to get a new one.',
      );
    }
    return file;
  }

  #sign(jobId: string, name: string, expires: number): Buffer {
    return createHmac('sha256', this.#key).update(`${jobId}/${name}:${expires}`).digest();
  }
}
