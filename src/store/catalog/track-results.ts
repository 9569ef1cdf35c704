import type { SqliteDatabase } from '../database.js';

/** Whole results of analyses made here, one of each analysis a track. */
export class TrackResultStore {
  readonly #put;
  readonly #get;

  constructor(db: SqliteDatabase) {
    this.#put = db.prepare<[number, string, number, string]>(
      'INSERT OR REPLACE INTO results (track, analysis, version, json) VALUES (?, ?, ?, ?)',
    );
    this.#get = db
      .prepare<[number, string, number], string>(
        'SELECT json FROM results WHERE track = ? AND analysis = ? AND version = ?',
      )
      .pluck();
  }

  put(track: number, analysis: { name: string; version: number }, json: string): void {
    this.#put.run(track, analysis.name, analysis.version, json);
  }

  /** What an older version of the analysis found counts for nothing. */
  get(track: number, analysis: { name: string; version: number }): string | undefined {
    return this.#get.get(track, analysis.name, analysis.version);
  }
}
