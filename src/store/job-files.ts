import type { SqliteDatabase } from './database.js';

export interface JobFile {
  jobId: string;
  /** As the caller sees it. */
  name: string;
  /** Name in the file store. */
  file: string;
  bytes: number;
  sha256: Buffer;
  contentType: string;
  /** null for what has no length in time. */
  durationS: number | null;
  expiresAt: number;
}

const columns = `job_id AS jobId, name, file, bytes, sha256, content_type AS contentType, duration_s AS durationS,
  expires_at AS expiresAt`;

export class JobFileStore {
  readonly #insert;
  readonly #get;
  readonly #list;
  readonly #expired;
  readonly #remove;
  readonly #files;
  readonly #putKey;
  readonly #key;

  constructor(db: SqliteDatabase) {
    this.#insert = db.prepare(
      `INSERT INTO job_files (job_id, name, file, bytes, sha256, content_type, duration_s, expires_at)
       VALUES (@jobId, @name, @file, @bytes, @sha256, @contentType, @durationS, @expiresAt)`,
    );
    this.#get = db.prepare<[string, string], JobFile>(
      `SELECT ${columns} FROM job_files WHERE job_id = ? AND name = ?`,
    );
    this.#list = db.prepare<[string], JobFile>(
      `SELECT ${columns} FROM job_files WHERE job_id = ? ORDER BY name`,
    );
    this.#expired = db.prepare<[number], JobFile>(`SELECT ${columns} FROM job_files WHERE expires_at <= ?`);
    this.#remove = db.prepare<[string, string]>('DELETE FROM job_files WHERE job_id = ? AND name = ?');
    this.#files = db.prepare<[], string>('SELECT file FROM job_files').pluck();
    this.#putKey = db.prepare<[Buffer]>(
      `INSERT OR IGNORE INTO signing_keys (name, value) VALUES ('files', ?)`,
    );
    this.#key = db.prepare<[], Buffer>(`SELECT value FROM signing_keys WHERE name = 'files'`).pluck();
  }

  insert(file: JobFile): void {
    this.#insert.run(file);
  }

  get(jobId: string, name: string): JobFile | undefined {
    return this.#get.get(jobId, name);
  }

  list(jobId: string): JobFile[] {
    return this.#list.all(jobId);
  }

  expired(now: number): JobFile[] {
    return this.#expired.all(now);
  }

  remove({ jobId, name }: JobFile): void {
    this.#remove.run(jobId, name);
  }

  /** Names in the file store of all there are. */
  files(): string[] {
    return this.#files.all();
  }

  /** The key that signs addresses of files: `fresh` the first time, and the same ever after. */
  signingKey(fresh: Buffer): Buffer {
    this.#putKey.run(fresh);
    return this.#key.get() ?? fresh;
  }
}
