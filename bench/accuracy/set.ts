import type { Analyze } from './engine.js';
import { mean } from './metrics/score.js';

/** One file with its scores. NaN: does not apply to this file. */
export interface Row {
  file: string;
  group?: string;
  values: Record<string, number>;
}

export interface Column {
  key: string;
  title: string;
  digits: number;
  /** One figure for many rows. */
  summary: (rows: readonly Row[]) => number;
}

/** What other programs score; `on` says so when it was not measured on the same files. */
export interface Peer {
  name: string;
  on?: string;
  values: Record<string, number>;
}

/** A set of files with known answers. `run` throws `Missing` when files or programs it needs are not there. */
export interface AccuracySet {
  name: string;
  title: string;
  columns: Column[];
  run(analyze: Analyze): Promise<Row[]>;
}

/** Columns of a row that are averaged over the rows they apply to. */
export function meanColumn(key: string, title: string, digits = 3): Column {
  return { key, title, digits, summary: (rows) => mean(applicable(rows, key)) };
}

/** For errors: the largest decides. */
export function worstColumn(key: string, title: string, digits: number): Column {
  const worst = (values: number[]): number => (values.length === 0 ? NaN : Math.max(...values));
  return { key, title, digits, summary: (rows) => worst(applicable(rows, key)) };
}

function applicable(rows: readonly Row[], key: string): number[] {
  return rows.map((row) => row.values[key] ?? NaN).filter((value) => !Number.isNaN(value));
}
