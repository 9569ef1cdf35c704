import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const POLL_MS = 20;

/**
 * Runs a program and watches the memory of it and all its children (Linux: /proc). `peakMb` is the largest sum of their
 * resident sets seen; file pages that are only mapped count, too. Throws when it fails.
 */
export async function peakMemory(
  program: string,
  args: readonly string[],
): Promise<{ peakMb: number; seconds: number }> {
  const start = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const exitCode = new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  let running = true;
  void exitCode.finally(() => (running = false));
  let peakKb = 0;
  while (running && child.pid !== undefined) {
    peakKb = Math.max(peakKb, await residentKb(child.pid));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  if ((await exitCode) !== 0) throw new Error(`${program} ended with ${await exitCode}`);
  return { peakMb: peakKb / 1024, seconds: (performance.now() - start) / 1000 };
}

/** 0 for a process that has just ended. */
async function residentKb(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    const below = await Promise.all(children.map((id) => residentKb(Number(id))));
    return own + below.reduce((sum, each) => sum + each, 0);
  } catch {
    return 0;
  }
}
