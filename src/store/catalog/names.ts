import { createHash } from 'node:crypto';
import type { SqliteDatabase } from '../database.js';

/** Finds tracks by their normalised names: exactly, by hash, and by what strings they hold, by trigrams. */
export class NameStore {
  readonly #addKey;
  readonly #byKey;
  readonly #addName;
  readonly #removeName;
  readonly #removeKeys;
  readonly #containing;

  constructor(db: SqliteDatabase) {
    this.#addKey = db.prepare<[number, number]>(
      'INSERT OR IGNORE INTO match_keys (hash, track) VALUES (?, ?)',
    );
    this.#byKey = db
      .prepare<[number, number], number>('SELECT track FROM match_keys WHERE hash = ? ORDER BY track LIMIT ?')
      .pluck();
    this.#addName = db.prepare<[number, string]>('INSERT INTO names (rowid, name) VALUES (?, ?)');
    this.#removeName = db.prepare<[number]>('DELETE FROM names WHERE rowid = ?');
    this.#removeKeys = db.prepare<[number, number]>('DELETE FROM match_keys WHERE hash = ? AND track = ?');
    this.#containing = db
      .prepare<[string, number], number>('SELECT rowid FROM names WHERE names MATCH ? LIMIT ?')
      .pluck();
  }

  add(track: number, keys: string[], name: string): void {
    for (const key of keys) this.#addKey.run(hashOf(key), track);
    this.#addName.run(track, name);
  }

  /** `keys` as they were added. */
  remove(track: number, keys: string[]): void {
    for (const key of keys) this.#removeKeys.run(hashOf(key), track);
    this.#removeName.run(track);
  }

  /** Tracks with the key; now and then one that merely has the same hash. */
  byKey(key: string, limit: number): number[] {
    return this.#byKey.all(hashOf(key), limit);
  }

  /** Tracks whose name holds, for every group, one of its strings of 3 characters or more. */
  containing(groups: string[][], limit: number): number[] {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const query = groups.map((group) => `(${group.map(quoted).join(' OR ')})`).join(' AND ');
    return this.#containing.all(query, limit);
  }
}

/** 48 bits: two of 10 million keys share one in about every fifth catalogue, and SQLite stores it in 6 bytes. */
function hashOf(key: string): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6);
}
