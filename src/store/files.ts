import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
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
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const name = randomBytes(16).toString('hex');
    const file = await open(join(this.#directory, name), 'wx', 0o600);
    try {
      for (const chunk of chunks) await file.writeFile(chunk);
      await file.sync();
    } catch (error) {
      this.remove(name);
      throw error;
    } finally {
      await file.close();
    }
    return name;
  }

  read(name: string): Readable {
    return createReadStream(join(this.#directory, name), { highWaterMark: 1 << 20 });
  }

  /** Does nothing when there is no such file. */
  remove(name: string): void {
    rmSync(join(this.#directory, name), { force: true });
  }

  names(): string[] {
    return existsSync(this.#directory) ? readdirSync(this.#directory) : [];
  }
}
