import type { SqliteDatabase } from '../database.js';

/** Audio on this machine, as it was when last looked at. */
export interface LocalFile {
  path: string;
  bytes: number;
  modifiedMs: number;
  sha256: Buffer | null;
  /** null when it could not be read. */
  track: number | null;
  /** Why it could not be analysed. */
  errorCode: string | null;
  errorMessage: string | null;
}

const columns = `path, bytes, modified_ms AS modifiedMs, sha256, track, error_code AS errorCode,
  error_message AS errorMessage`;

export class LocalFileStore {
  readonly #put;
  readonly #get;
  readonly #ofTrack;
  readonly #withHash;

  constructor(db: SqliteDatabase) {
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO files (path, bytes, modified_ms, sha256, track, error_code, error_message)
       VALUES (@path, @bytes, @modifiedMs, @sha256, @track, @errorCode, @errorMessage)`,
    );
    this.#get = db.prepare<[string], LocalFile>(`SELECT ${columns} FROM files WHERE path = ?`);
    this.#ofTrack = db.prepare<[number], LocalFile>(
      `SELECT ${columns} FROM files WHERE track = ? ORDER BY path`,
    );
    this.#withHash = db.prepare<[Buffer], LocalFile>(
      `SELECT ${columns} FROM files WHERE sha256 = ? AND track IS NOT NULL LIMIT 1`,
    );
  }

  put(file: LocalFile): void {
    this.#put.run(file);
  }

  get(path: string): LocalFile | undefined {
    return this.#get.get(path);
  }

  ofTrack(track: number): LocalFile[] {
    return this.#ofTrack.all(track);
  }

  /** A file with the same bytes whose track is known. */
  withHash(sha256: Buffer): LocalFile | undefined {
    return this.#withHash.get(sha256);
  }
}
