import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, link, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Files of one kind in a directory of their own, under random names that say nothing, readable by their owner alone. */
export class FileStore {
  readonly #directory: string;

  constructor(dataDir: string, kind: string) {
    this.#directory = join(dataDir, kind);
  }

  /** Writes the file whole, through to the disk, and returns its name. Nothing is left of it when that fails. */
  async write(chunks: readonly Buffer[]): Promise<string> {
    const file = await this.create();
    try {
      for (const chunk of chunks) await file.handle.writeFile(chunk);
      await file.handle.sync();
    } catch (error) {
      this.remove(file.name);
      throw error;
    } finally {
      await file.handle.close();
    }
    return file.name;
  }

  /** A new file to write to. Whoever asked for it syncs and closes it, or removes it. */
  async create(): Promise<{ name: string; handle: FileHandle }> {
    this.#make();
    const name = randomBytes(16).toString('hex');
    return { name, handle: await open(join(this.#directory, name), 'wx', 0o600) };
  }

  /** Another name for a file of `other`, with a life of its own; no byte is copied. */
  async link(other: FileStore, name: string): Promise<string> {
    this.#make();
    const own = randomBytes(16).toString('hex');
    await link(join(other.#directory, name), join(this.#directory, own));
    return own;
  }

  /** Bytes `start` … `end`, both included; the whole file by default. */
  read(name: string, range: { start?: number; end?: number } = {}): Readable {
    return createReadStream(join(this.#directory, name), { highWaterMark: 1 << 20, ...range });
  }

  /** 0 when there is no such file. */
  byteLength(name: string): number {
    return statSync(join(this.#directory, name), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Does nothing when there is no such file. */
  remove(name: string): void {
    rmSync(join(this.#directory, name), { force: true });
  }

  names(): string[] {
    return existsSync(this.#directory) ? readdirSync(this.#directory) : [];
  }

  #make(): void {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
  }
}
