import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repoRoot } from '../cache.js';
import { Missing } from '../command.js';

/** A line of `tonearm analyze --json`, as far as the bench reads it. Times in seconds. */
export interface Answer {
  file: string;
  duration_s?: number;
  tempo?: number | null;
  beats?: number[];
  downbeats?: number[];
  key?: string | null;
  mode?: 'major' | 'minor' | null;
  key_confidence?: number | null;
  tuning_hz?: number | null;
  integrated_lufs?: number | null;
  loudness_range_lu?: number | null;
  max_momentary_lufs?: number | null;
  max_short_term_lufs?: number | null;
  true_peak_dbtp?: number | null;
  error?: { code: string; message: string };
}

/** Answers in the order of the files. */
export type Analyze = (files: readonly string[], only: readonly string[]) => Promise<Answer[]>;

/** Asks the shipped command line, so that what is measured is what a user gets. */
export function commandLine(script = join(repoRoot, 'dist', 'cli.js')): Analyze {
  return async (files, only) => {
    if (!existsSync(script)) throw new Missing('dist/cli.js is not built (npm run build)');
    const args = [script, 'analyze', '--json', '--only', only.join(','), ...files];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<number | null>((resolve, reject) =>
      child.on('error', reject).on('close', resolve),
    );
    const answers = new Map<string, Answer>();
    for await (const line of createInterface({ input: child.stdout })) {
      const answer = JSON.parse(line) as Answer;
      answers.set(answer.file, answer);
    }
    const exitCode = await ended;
    return files.map((file) => {
      const answer = answers.get(file);
      if (answer === undefined) throw new Error(`no answer for ${file} (exit code ${exitCode})`);
      return answer;
    });
  };
}
