import { Socket } from 'node:net';
import { loadAddon } from '../native/load.js';
import { FrameReader, FrameType, jsonFrame } from './frames.js';
import { AnalysisPool, CancelFlag } from './pool.js';
import type { EngineRequest, JobRequest, Outcome } from './task.js';

// The engine process: hosts the pool, reads requests from the socket the shell left on descriptor 3 and answers there.
// It has no database, no network and no files; native code that crashes takes nothing but this process down.

interface Pending {
  bytes: Uint8Array<ArrayBuffer>;
  filled: number;
  request: EngineRequest;
  flag: CancelFlag;
}

// A terminal or service manager signals the whole group; when to end is the shell's decision, told by closing the socket.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

const [threads, maxQueue] = process.argv.slice(2).map(Number) as [number, number];
const addon = loadAddon();
const socket = new Socket({ fd: 3, readable: true, writable: true });
const pool = new AnalysisPool({ threads, maxQueue });
const pending = new Map<number, Pending>();

const reader = new FrameReader({
  json(type, id, value) {
    if (type === FrameType.request) {
      const { byteLength, request } = value as JobRequest;
      pending.set(id, { bytes: new Uint8Array(byteLength), filled: 0, request, flag: new CancelFlag() });
    } else if (type === FrameType.cancel) {
      const job = pending.get(id);
      job?.flag.raise();
      // Still waiting for its bytes, which will not come: answer for it here.
      if (job && job.filled < job.bytes.length) {
        finish(id, { ok: false, error: { code: 'canceled', message: 'canceled while its audio was sent' } });
      }
    }
  },
  audio(id, piece) {
    const job = pending.get(id);
    if (!job) return;
    job.bytes.set(piece, job.filled);
    job.filled += piece.length;
    if (job.filled === job.bytes.length) void analyze(id, job);
  },
});

async function analyze(id: number, job: Pending): Promise<void> {
  try {
    finish(id, await pool.run(job.bytes, job.request, job.flag));
  } catch (error) {
    finish(id, { ok: false, error: { code: 'internal_error', message: (error as Error).message } });
  }
}

function finish(id: number, outcome: Outcome): void {
  pending.delete(id);
  if (socket.writable) socket.write(jsonFrame(FrameType.outcome, id, outcome));
}

socket.on('data', (chunk: Buffer) => reader.push(chunk));
socket.on('error', () => {});
socket.on('close', () => {
  for (const { flag } of pending.values()) flag.raise();
  // Native code gets a moment to see its flag; `process.exit` would wait for it without end.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000).unref();
  void pool.close().then(() => process.exit(0));
});

socket.write(jsonFrame(FrameType.ready, 0, { info: addon.info() }));
