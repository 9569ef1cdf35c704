// `npm run test:faults [jobs] [kills]`: the fault test at full length.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from './audit.js';
import { runCampaign } from './campaign.js';

const [jobs = 500, kills = 40] = process.argv.slice(2).map(Number);
const dataDir = mkdtempSync(join(tmpdir(), 'tonearm-faults-'));
const print = (line: string) => process.stdout.write(`${line}\n`);
const startedAt = Date.now();
try {
  const campaign = await runCampaign({ dataDir, jobs, kills, log: print });
  const { faults, completed, failed, interrupted, repeated } = audit(dataDir, campaign);
  campaign.receiver.close();
  print(
    [
      `${jobs} jobs, ${campaign.kills} kills, ${Math.round((Date.now() - startedAt) / 1000)} s`,
      `${completed} completed, ${failed} given up after three interruptions, ${interrupted} interrupted at least once`,
      `${campaign.resent} submissions sent again, ${campaign.receiver.received.length} events received, ${repeated} jobs told more than once`,
      `receivers enabled again ${campaign.enabled} times`,
      `${faults.length} faults`,
      ...faults.slice(0, 50),
    ].join('\n'),
  );
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
