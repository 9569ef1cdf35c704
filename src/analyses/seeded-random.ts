import { createHash } from 'node:crypto';

/** Numbers that depend on nothing but the seed: SHA-256 in counter mode. */
export class SeededRandom {
  readonly #seed: string;
  #counter = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Uniform in [min, max], rounded to `decimals`. */
  number(min: number, max: number, decimals = 2): number {
    const digest = createHash('sha256').update(`${this.#seed}:${this.#counter++}`).digest();
    const unit = digest.readUInt32BE(0) / 2 ** 32;
    return Number((min + unit * (max - min)).toFixed(decimals));
  }

  /** Uniform in min … max, both included. */
  integer(min: number, max: number): number {
    return Math.min(max, Math.floor(this.number(min, max + 1, 9)));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }
}
