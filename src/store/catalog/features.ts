import type { SqliteDatabase } from '../database.js';

export const scoreNames = [
  'energy',
  'danceability',
  'happiness',
  'acousticness',
  'instrumentalness',
  'speechiness',
  'liveness',
] as const;
export type ScoreName = (typeof scoreNames)[number];

/** What is known of a track's sound; null: not known. Scores are 0–100. */
export interface Features extends Record<ScoreName, number | null> {
  track: number;
  /** `analysis` or the name of the data set it came from. */
  source: string;
  tempo: number | null;
  tempoConfidence: number | null;
  timeSignature: number | null;
  /** Pitch class of the tonic, 0 (C) – 11. */
  key: number | null;
  isMajor: boolean | null;
  keyConfidence: number | null;
  loudnessLufs: number | null;
  reasons: Record<string, string>;
}

type Row = Omit<Features, 'isMajor' | 'reasons'> & { isMajor: number | null; reasons: string | null };

export class FeatureStore {
  readonly #addSource;
  readonly #put;
  readonly #get;

  constructor(db: SqliteDatabase) {
    this.#addSource = db.prepare<[string]>('INSERT OR IGNORE INTO sources (name) VALUES (?)');
    const scores = scoreNames.join(', ');
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO features (track, source, tempo, tempo_confidence, time_signature, key, is_major,
         key_confidence, loudness_lufs, ${scores}, reasons)
       VALUES (@track, (SELECT id FROM sources WHERE name = @source), @tempo, @tempoConfidence, @timeSignature, @key,
         @isMajor, @keyConfidence, @loudnessLufs, ${scoreNames.map((name) => `@${name}`).join(', ')}, @reasons)`,
    );
    this.#get = db.prepare<[number], Row>(
      `SELECT track, sources.name AS source, tempo, tempo_confidence AS tempoConfidence, time_signature AS timeSignature,
         key, is_major AS isMajor, key_confidence AS keyConfidence, loudness_lufs AS loudnessLufs, ${scores}, reasons
       FROM features JOIN sources ON sources.id = source WHERE track = ?`,
    );
  }

  /** Replaces what was known of the track. */
  put(features: Features): void {
    const { isMajor, reasons } = features;
    this.#addSource.run(features.source);
    this.#put.run({
      ...features,
      isMajor: isMajor === null ? null : Number(isMajor),
      reasons: Object.keys(reasons).length > 0 ? JSON.stringify(reasons) : null,
    });
  }

  get(track: number): Features | undefined {
    const row = this.#get.get(track);
    if (!row) return undefined;
    return {
      ...row,
      isMajor: row.isMajor === null ? null : row.isMajor === 1,
      reasons: row.reasons === null ? {} : (JSON.parse(row.reasons) as Record<string, string>),
    };
  }
}
