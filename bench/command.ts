import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Something the bench needs is not on this machine; the message says what and where to get it. */
export class Missing extends Error {}

/**
 * Runs a program to its end and returns what it printed. Throws `Missing`, with the hint, when there is no such program,
 * and an error when it fails or takes longer than `timeLimitS`.
 */
export async function command(
  program: string,
  args: readonly string[],
  hint: string,
  timeLimitS = 120,
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await execute(program, args, { maxBuffer: 1 << 28, timeout: 1000 * timeLimitS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Missing(`${program} is not installed (${hint})`);
    throw error;
  }
}
