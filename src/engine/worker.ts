import { loadAddon } from '../native/load.js';
import type { Outcome, WorkerTask } from './task.js';

// A thread of the pool. The native call blocks it; it is stopped by the cancel flag alone, never by terminating the
// thread, which would abort the process in the middle of native code.

const addon = loadAddon();

export default function analyze({ source, request, cancel }: WorkerTask): Outcome {
  if (Atomics.load(cancel, 0) !== 0)
    return { ok: false, error: { code: 'canceled', message: 'canceled before it began' } };
  try {
    return { ok: true, output: addon.analyze(source, { ...request, cancel }) };
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    return { ok: false, error: { code: code ?? 'internal_error', message: message ?? String(error) } };
  }
}
