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
  let peakKb = 0;
  const watch = setInterval(() => {
    void residentKb(child.pid ?? 0).then((kb) => (peakKb = Math.max(peakKb, kb)));
  }, POLL_MS);
  const exitCode = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  ).finally(() => {
    clearInterval(watch);
  });
  if (exitCode !== 0) throw new Error(`${program} ended with exit code ${exitCode}`);
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
