import type { AnalysisOutput, AnalyzeOptions, EngineInfo } from '../native/addon.js';

/** What is asked of the engine; everything but the bytes and the cancel flag. */
export type EngineRequest = Omit<AnalyzeOptions, 'cancel'>;

/** Errors as plain data: thrown ones lose their `code` on the way between threads. */
export interface EngineFailure {
  code: string;
  message: string;
}

export type Outcome = { ok: true; output: AnalysisOutput } | { ok: false; error: EngineFailure };

export interface WorkerTask {
  /** An audio file's bytes, or its path. */
  source: Uint8Array | string;
  request: EngineRequest;
  cancel: Int32Array;
}

export interface EngineReady {
  info: EngineInfo;
}

export interface JobRequest {
  byteLength: number;
  request: EngineRequest;
}
