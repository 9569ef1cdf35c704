import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ApiError, CanceledError, isErrorCode, serviceUnavailable } from '../errors.js';
import type { AnalysisOutput, EngineInfo } from '../native/addon.js';
import { entryPath } from './entry.js';
import { frameHeader, FrameReader, FrameType, jsonFrame } from './frames.js';
import type { EngineReady, EngineRequest, JobRequest, Outcome } from './task.js';

export interface EngineProcessOptions {
  threads: number;
  /** Requests that may wait for a thread; one more is refused at once. */
  queue: number;
  timeoutS: number;
  /** Told of crashes and restarts. */
  log?: (message: string) => void;
}

export interface EngineStatus {
  ready: boolean;
  threads: number;
  running: number;
  queued: number;
  restarts: number;
  info: EngineInfo | null;
}

interface InFlight {
  resolve: (output: AnalysisOutput) => void;
  reject: (error: Error) => void;
}

/** How long native code may take to see its cancel flag before the whole process is taken down. */
const cancelGraceMs = 5000;
const maxRestartDelayMs = 10_000;
const stableAfterMs = 30_000;

/**
 * The shell's handle on the engine process: starts it, feeds it, counts what it has to do, and starts it again when it
 * dies. Requests in flight at that moment fail with `internal_error`; nothing else notices.
 */
export class EngineProcess extends EventEmitter<{ ready: []; failed: [Error] }> {
  readonly #options: EngineProcessOptions;
  readonly #inFlight = new Map<number, InFlight>();
  #child: ChildProcess | undefined;
  #socket: Socket | undefined;
  #info: EngineInfo | null = null;
  #nextId = 1;
  #failuresInARow = 0;
  #restarts = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(options: EngineProcessOptions) {
    super();
    this.#options = options;
  }

  /** Resolves when the engine answers; rejects, with what it said, when it dies before. */
  async start(): Promise<EngineInfo> {
    await new Promise<void>((resolve, reject) => {
      this.once('ready', resolve);
      this.once('failed', reject);
      this.#spawn();
    });
    return this.#info as EngineInfo;
  }

  status(): EngineStatus {
    const { threads } = this.#options;
    const running = Math.min(this.#inFlight.size, threads);
    const queued = this.#inFlight.size - running;
    return { ready: this.#ready, threads, running, queued, restarts: this.#restarts, info: this.#info };
  }

  /** Process id of the engine while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Analyses audio that comes in `chunks`. Throws ApiError service_unavailable at once when threads and queue are full
   * or the engine is down, the engine's verdict on the audio as ApiError, and CanceledError once `signal` aborts.
   */
  async analyze(
    chunks: readonly Buffer[],
    request: EngineRequest,
    signal?: AbortSignal,
  ): Promise<AnalysisOutput> {
    if (signal?.aborted) throw new CanceledError();
    const { threads, queue, timeoutS } = this.#options;
    if (!this.#ready)
      throw serviceUnavailable('The analysis engine is starting. Send the request again in a moment.', 2);
    if (this.#inFlight.size >= threads + queue) {
      throw serviceUnavailable('All analysis threads are busy. Send the request again in a moment.');
    }
    const id = this.#nextId;
    this.#nextId = (this.#nextId % 0xffff_ffff) + 1;
    const answer = new Promise<AnalysisOutput>((resolve, reject) =>
      this.#inFlight.set(id, { resolve, reject }),
    );
    // Rejections that come while the audio is still being sent are seen by the await below.
    answer.catch(() => {});

    const expired = new AbortController();
    let killTimer: NodeJS.Timeout | undefined;
    const child = this.#child;
    const stop = () => {
      this.#socket?.write(jsonFrame(FrameType.cancel, id, null));
      killTimer = setTimeout(() => child?.kill('SIGKILL'), cancelGraceMs);
    };
    const timeout = setTimeout(() => {
      expired.abort();
      stop();
    }, timeoutS * 1000);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await this.#send(id, chunks, request);
      return await answer;
    } catch (error) {
      if (signal?.aborted) throw new CanceledError();
      if (expired.signal.aborted)
        throw new ApiError('internal_error', `The analysis took longer than ${timeoutS} s and was stopped.`);
      throw error;
    } finally {
      clearTimeout(timeout);
      clearTimeout(killTimer);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Lets the process end. What is in flight fails. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    this.#socket?.end();
    this.#socket?.destroy();
    await exited;
  }

  get #ready(): boolean {
    return this.#socket !== undefined && this.#info !== null;
  }

  async #send(id: number, chunks: readonly Buffer[], request: EngineRequest): Promise<void> {
    const byteLength = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const socket = this.#socket as Socket;
    socket.write(jsonFrame(FrameType.request, id, { byteLength, request } satisfies JobRequest));
    for (const chunk of chunks) {
      // Gone: answered already, because it was canceled or the process died.
      if (!this.#inFlight.has(id)) return;
      socket.write(frameHeader(FrameType.audio, id, chunk.length));
      if (!socket.write(chunk) && !socket.destroyed) await drained(socket);
    }
  }

  #spawn(): void {
    const { threads, queue } = this.#options;
    const startedAt = Date.now();
    const arguments_ = [...process.execArgv, entryPath('process-main'), String(threads), String(queue)];
    const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'inherit', 'pipe', 'pipe'] });
    let lastWords = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-4000);
    });
    const socket = child.stdio[3] as Socket;
    const reader = new FrameReader({
      json: (type, id, value) => this.#receive(socket, type, id, value),
      audio: () => {},
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', () => {});
    this.#child = child;
    child.once('error', (error) => this.#died(startedAt, error.message));
    child.once('exit', (code, signal) => {
      this.#died(startedAt, `${signal ?? `exit code ${code}`}${lastWords ? `: ${lastWords.trim()}` : ''}`);
    });
  }

  #receive(socket: Socket, type: FrameType, id: number, value: unknown): void {
    if (type === FrameType.ready) {
      this.#info = (value as EngineReady).info;
      this.#socket = socket;
      this.emit('ready');
      return;
    }
    const waiting = this.#inFlight.get(id);
    if (!waiting) return;
    this.#inFlight.delete(id);
    const outcome = value as Outcome;
    if (outcome.ok) waiting.resolve(outcome.output);
    else waiting.reject(toError(outcome.error));
  }

  #died(startedAt: number, how: string): void {
    this.#child = undefined;
    this.#socket = undefined;
    const crash = new ApiError(
      'internal_error',
      'The analysis engine failed on this audio. Nothing was billed.',
      {
        cause: new Error(`engine process ended: ${how}`),
      },
    );
    for (const { reject } of this.#inFlight.values()) reject(crash);
    this.#inFlight.clear();
    if (this.#closing) return;
    if (this.#info === null) {
      this.emit('failed', new Error(`The engine process did not start: ${how}`));
      return;
    }
    this.#failuresInARow = Date.now() - startedAt > stableAfterMs ? 0 : this.#failuresInARow + 1;
    const delay = Math.min(100 * 2 ** this.#failuresInARow, maxRestartDelayMs);
    this.#options.log?.(`engine process ended (${how}); starting it again in ${delay} ms`);
    this.#restarts++;
    this.#restartTimer = setTimeout(() => this.#spawn(), delay);
  }
}

function toError({ code, message }: { code: string; message: string }): Error {
  if (code === 'canceled') return new CanceledError();
  if (isErrorCode(code) && code !== 'internal_error') return new ApiError(code, message);
  return new ApiError('internal_error', 'The analysis engine failed on this audio. Nothing was billed.', {
    cause: new Error(message),
  });
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.once('drain', done);
    socket.once('close', done);
  });
}
