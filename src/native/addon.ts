import type { BeatGridResult } from '../analyses/beatgrid.js';
import type { TempoResult } from '../analyses/bpm.js';
import type { KeyResult } from '../analyses/key.js';
import type { LoudnessResult } from '../analyses/lufs.js';

/** What the engine can compute; one pass over the audio computes any set of them. */
export type StageName = 'tempo' | 'beatgrid' | 'key' | 'loudness';

export interface AnalyzeOptions {
  analyses: StageName[];
  /** Loudness over time too. */
  timeline?: boolean;
  minDurationS?: number;
  maxDurationS?: number;
  /** On a SharedArrayBuffer; the engine stops soon after element 0 becomes other than 0 and throws `canceled`. */
  cancel?: Int32Array;
}

/** Result objects with their names on the wire. What could not be determined is null, with a reason beside it. */
export interface AnalysisOutput {
  audio: { duration_s: number; sample_rate_hz: number; channels: number; container: string; codec: string };
  tempo?: TempoResult;
  beatgrid?: BeatGridResult;
  key?: KeyResult;
  loudness?: LoudnessResult;
}

export interface EngineInfo {
  /** The instruction set in use, and all that this machine could use. */
  simd: string;
  simdAvailable: string[];
  /** Library name → version. */
  ffmpeg: Record<string, string>;
}

/**
 * The native module. `analyze` takes an audio file's bytes or its path and blocks its thread; it throws Error with `code` set
 * to a wire name of errors.ts or `canceled`.
 */
export interface Addon {
  analyze(source: Uint8Array | string, options: AnalyzeOptions): AnalysisOutput;
  info(): EngineInfo;
}
