import { ulid } from 'ulid';
import type { Config } from '../config.js';
import { ApiError, serviceUnavailable } from '../errors.js';
import type { JobStorage, WrittenFile } from '../jobs/storage.js';
import type { Asset } from '../store/assets.js';
import type { FileStore } from '../store/files.js';
import type { Store } from '../store/store.js';

const hourMs = 3_600_000;

export interface AssetBytes {
  chunks: readonly Buffer[];
  sha256: Buffer;
  byteLength: number;
}

/** Audio uploaded once to be analysed several times; kept for ASSET_TTL_H hours. */
export class Assets {
  readonly #config: Config;
  readonly #store: Store;
  readonly #files: FileStore;
  readonly #now: () => number;
  /** Names written but not in the database yet, which the sweep must leave alone. */
  readonly #writing = new Set<string>();

  constructor(config: Config, store: Store, files: FileStore, now: () => number = Date.now) {
    this.#config = config;
    this.#store = store;
    this.#files = files;
    this.#now = now;
  }

  /** The same account and bytes give the same asset, kept for another full time. */
  async keep(accountId: string, audio: AssetBytes): Promise<Asset> {
    const known = this.#renew(accountId, audio.sha256);
    if (known) return known;
    if (this.#store.assets.totalBytes() + audio.byteLength > this.#config.assetStorageMib * 2 ** 20) {
      throw serviceUnavailable(
        'The storage for assets is full. Send the request again later, or send the audio itself.',
        60,
      );
    }
    const file = await this.#files.write(audio.chunks);
    this.#writing.add(file);
    try {
      return this.#store.transaction(() => {
        // The same bytes may have come in twice at the same time.
        const other = this.#renew(accountId, audio.sha256);
        if (other) {
          this.#files.remove(file);
          return other;
        }
        const createdAt = this.#now();
        const asset: Asset = {
          id: `asset_${ulid(createdAt)}`,
          accountId,
          sha256: audio.sha256,
          bytes: audio.byteLength,
          file,
          createdAt,
          expiresAt: this.#expiry(),
        };
        this.#store.assets.insert(asset);
        return asset;
      });
    } finally {
      this.#writing.delete(file);
    }
  }

  /** Throws ApiError asset_not_found, for another account's as for none. */
  get(accountId: string, id: string): Asset {
    const asset = this.#store.assets.get(accountId, id, this.#now());
    if (asset) return asset;
    throw new ApiError(
      'asset_not_found',
      'There is no such asset, or it has expired. Upload the audio again.',
      {
        param: 'asset_id',
      },
    );
  }

  list(accountId: string, before: string | undefined, limit: number): Asset[] {
    return this.#store.assets.page(accountId, this.#now(), before, limit);
  }

  open(asset: Asset) {
    return this.#files.read(asset.file);
  }

  /** The asset's bytes as a file of its own among those of jobs, which outlives the asset. */
  linkTo(storage: JobStorage, { file, bytes, sha256 }: Asset): Promise<WrittenFile> {
    return storage.link(this.#files, file, bytes, sha256);
  }

  remove(accountId: string, id: string): void {
    this.#drop(this.get(accountId, id));
  }

  /** Removes what has expired, and files that a crash left without an asset. */
  sweep(): void {
    for (const asset of this.#store.assets.expired(this.#now())) this.#drop(asset);
    const known = new Set(this.#store.assets.files());
    for (const name of this.#files.names()) {
      if (!known.has(name) && !this.#writing.has(name)) this.#files.remove(name);
    }
  }

  #renew(accountId: string, sha256: Buffer): Asset | undefined {
    const known = this.#store.assets.findBySha256(accountId, sha256);
    if (!known) return undefined;
    const expiresAt = this.#expiry();
    this.#store.assets.renew(known.id, expiresAt);
    return { ...known, expiresAt };
  }

  #expiry(): number {
    return this.#now() + this.#config.assetTtlH * hourMs;
  }

  /** The row first: a file without one is found by the next sweep, a row without a file would fail its readers. */
  #drop(asset: Asset): void {
    this.#store.assets.remove(asset.id);
    this.#files.remove(asset.file);
  }
}
