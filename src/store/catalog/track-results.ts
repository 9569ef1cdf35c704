import type { SqliteDatabase } from '../database.js';

/** Whole results of analyses made here, one of each analysis a track. */
export class TrackResultStore {
  readonly #put;
  readonly #get;
  readonly #clear;

  constructor(db: SqliteDatabase) {
    this.#put = db.prepare<[number, string, number, string]>(
      'INSERT OR REPLACE INTO results (track, analysis, version, json) VALUES (?, ?, ?, ?)',
    );
    this.#get = db
      .prepare<[number, string], string>('SELECT json FROM results WHERE track = ? AND analysis = ?')
      .pluck();
    this.#clear = db.prepare<[number]>('DELETE FROM results WHERE track = ?');
  }

  put(track: number, analysis: { name: string; version: number }, json: string): void {
    this.#put.run(track, analysis.name, analysis.version, json);
  }

  get(track: number, analysis: string): string | undefined {
    return this.#get.get(track, analysis);
  }

  clear(track: number): void {
    this.#clear.run(track);
  }
}
