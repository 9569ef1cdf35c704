import { join } from 'node:path';
import { Command } from 'commander';
import { createFirstAccount, type FirstAccount } from '../accounts/accounts.js';
import { loadConfig } from '../config.js';
import { writeSample } from '../sample.js';
import { startServer } from '../server.js';
import { Store } from '../store/store.js';

export function serveCommand(): Command {
  return new Command('serve')
    .description('start the service; settings such as HOST, PORT and DATA_DIR come from the environment')
    .action(serve);
}

async function serve(): Promise<void> {
  const config = loadConfig();
  const first = firstAccount(config.dataDir);
  const sample = join(config.dataDir, 'sample.wav');
  if (first) await writeSample(sample);
  const server = await startServer(config);
  process.stdout.write(`Tonearm listens on ${server.address}\n`);
  if (first) process.stdout.write(welcome(server.address, first, sample));
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void server.stop().catch((error: unknown) => {
        process.stderr.write(`tonearm: stopping failed: ${String(error)}\n`);
        process.exitCode = 1;
      });
    });
  }
}

/** Before the service starts, so that the keys are printed once and to whoever started it. */
function firstAccount(dataDir: string): FirstAccount | undefined {
  const store = Store.open(dataDir);
  try {
    return createFirstAccount(store);
  } finally {
    store.close();
  }
}

function welcome(address: string, { account, liveKey, testKey }: FirstAccount, sample: string): string {
  return `
A first account was made, with ${account.balance} credits. Its keys are shown this once:
  live  ${liveKey}
  test  ${testKey}
Try it:
  curl -H "Authorization: Bearer ${liveKey}" -H "Content-Type: audio/wav" --data-binary @${sample} ${address}/v1/key-bpm
`;
}
