import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `tonearm` with these arguments to its end. */
export async function tonearm(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = start(args, env);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const stdout = await outputUntil(child);
  return { code: child.exitCode, stdout, stderr };
}

/** Starts `tonearm` with these arguments. */
export function start(args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ['--import=tsx', entry, ...args], { env: { ...process.env, ...env } });
}

/** What it prints until `pattern` is seen, or until it ends. */
export function outputUntil(child: ChildProcess, pattern?: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let all = '';
    const read = (text: string) => {
      all += text;
      if (pattern?.test(all)) done();
    };
    const done = () => {
      child.stdout?.off('data', read);
      child.stdout?.resume();
      resolve(all);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.once('close', done);
  });
}
