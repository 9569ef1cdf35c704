import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { ingestFile } from '../catalog/ingest.js';
import { loadConfig } from '../config.js';
import { AnalysisPool } from '../engine/pool.js';
import { Store } from '../store/store.js';
import { findAudioFiles } from './files.js';
import { print } from './open-store.js';

export function ingestCommand(): Command {
  return new Command('ingest')
    .description(
      'bring the audio files in directories into the catalogue; run again, it goes on where it stopped',
    )
    .argument('<dir...>')
    .action(ingest);
}

async function ingest(paths: string[]): Promise<void> {
  const config = loadConfig();
  const files = await findAudioFiles(paths);
  if (files.length === 0) throw new Error(`There are no audio files in ${paths.join(', ')}.`);
  const store = Store.open(config.dataDir);
  const pool = new AnalysisPool({ threads: config.threads, maxQueue: Infinity });
  const limits = { minDurationS: config.minDurationS, maxDurationS: config.maxJobDurationS };
  const bar = new SingleBar({
    format: '{bar} {value}/{total} files, {perMinute} a minute, {eta_formatted} left',
    clearOnComplete: true,
    noTTYOutput: false,
  });
  const startedAt = performance.now();
  const counts = { analysed: 0, unchanged: 0, 'same audio': 0, failed: 0 };
  bar.start(files.length, 0, { perMinute: 0 });
  const queue = files.values();
  // One more than there are threads, so that one file is read while the others are analysed.
  const lane = async () => {
    for (const file of queue) {
      const done = await ingestFile(store.catalog, (path, request) => pool.run(path, request), limits, file);
      counts[done.outcome]++;
      if (done.outcome === 'failed') process.stderr.write(`\r${done.path}: ${done.message} (${done.code})\n`);
      const minutes = (performance.now() - startedAt) / 60_000;
      bar.increment(1, { perMinute: Math.round(counts.analysed / minutes) });
    }
  };
  try {
    await Promise.all(Array.from({ length: config.threads + 1 }, lane));
  } finally {
    bar.stop();
    await pool.close();
    store.close();
  }
  print(Object.entries(counts).map(([outcome, count]) => `${outcome.padEnd(12)}${count}`));
  if (counts.failed > 0) process.exitCode = 1;
}
