import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FileStore } from '../store/files.js';
import type { DiskQuota } from './disk-quota.js';

/** Room is asked for in steps of this size. */
const stepBytes = 1 << 20;

/** A file that is on the disk, and nobody's yet: it goes with `release` unless it was kept before. */
export interface WrittenFile {
  file: string;
  byteLength: number;
  sha256: Buffer;
  /** Its name is in the database now, which decides over it from here on. */
  keep: () => void;
  release: () => void;
}

/** Files of jobs of one sort (uploads or results) within the quota. Those that no row names are removed by `sweep`. */
export class JobStorage {
  readonly #files: FileStore;
  readonly #quota: DiskQuota;
  /** Not in the database yet, which the sweep must leave alone. */
  readonly #unclaimed = new Set<string>();

  constructor(files: FileStore, quota: DiskQuota) {
    this.#files = files;
    this.#quota = quota;
    for (const name of files.names()) quota.count(files.byteLength(name));
  }

  /** A new file to be written piece by piece. */
  async create(): Promise<FileWriter> {
    const { name, handle } = await this.#files.create();
    this.#unclaimed.add(name);
    return new FileWriter(handle, this.#quota, {
      written: (byteLength, sha256) => this.#written(name, byteLength, sha256),
      abandoned: () => {
        this.#unclaimed.delete(name);
        this.#files.remove(name);
      },
    });
  }

  /** Throws StorageFullError. */
  async write(chunks: readonly Buffer[]): Promise<WrittenFile> {
    const writer = await this.create();
    try {
      for (const chunk of chunks) await writer.write(chunk);
      return await writer.finish();
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  /** The same bytes as a file of another store. */
  async link(other: FileStore, name: string, byteLength: number, sha256: Buffer): Promise<WrittenFile> {
    this.#quota.take(byteLength);
    try {
      const own = await this.#files.link(other, name);
      this.#unclaimed.add(own);
      return this.#written(own, byteLength, sha256);
    } catch (error) {
      this.#quota.give(byteLength);
      throw error;
    }
  }

  read(name: string, range?: { start?: number; end?: number }) {
    return this.#files.read(name, range);
  }

  remove(name: string): void {
    this.#quota.give(this.#files.byteLength(name));
    this.#files.remove(name);
  }

  /** Removes what a crash left without a row. */
  sweep(known: readonly string[]): void {
    const keep = new Set(known);
    for (const name of this.#files.names()) {
      if (!keep.has(name) && !this.#unclaimed.has(name)) this.remove(name);
    }
  }

  #written(name: string, byteLength: number, sha256: Buffer): WrittenFile {
    return {
      file: name,
      byteLength,
      sha256,
      keep: () => void this.#unclaimed.delete(name),
      release: () => {
        if (this.#unclaimed.delete(name)) this.remove(name);
      },
    };
  }
}

interface WriterEnd {
  written(byteLength: number, sha256: Buffer): WrittenFile;
  abandoned(): void;
}

/** One file on its way to the disk, hashed as it comes. Ends with `finish` or `abandon`. */
export class FileWriter {
  readonly #handle: FileHandle;
  readonly #quota: DiskQuota;
  readonly #end: WriterEnd;
  readonly #hash: Hash = createHash('sha256');
  #byteLength = 0;
  #taken = 0;

  constructor(handle: FileHandle, quota: DiskQuota, end: WriterEnd) {
    this.#handle = handle;
    this.#quota = quota;
    this.#end = end;
  }

  /** Throws StorageFullError. One write at a time. */
  async write(piece: Buffer): Promise<void> {
    if (this.#byteLength + piece.length > this.#taken) {
      const step = Math.max(stepBytes, piece.length);
      this.#quota.take(step);
      this.#taken += step;
    }
    this.#hash.update(piece);
    await this.#handle.writeFile(piece);
    this.#byteLength += piece.length;
  }

  /** Once this resolves, the bytes survive a power cut. */
  async finish(): Promise<WrittenFile> {
    await this.#handle.sync();
    await this.#handle.close();
    this.#quota.give(this.#taken - this.#byteLength);
    return this.#end.written(this.#byteLength, this.#hash.digest());
  }

  /** Leaves nothing behind. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
    this.#quota.give(this.#taken);
    this.#end.abandoned();
  }
}
