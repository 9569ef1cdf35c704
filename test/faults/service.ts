// The service as `tonearm serve` starts it, but for a webhook schedule that takes seconds instead of hours and for one
// more kind of job. Started, and killed, by campaign.ts.
import { loadConfig } from '../../src/config.js';
import { jobKinds } from '../../src/jobs/index.js';
import { startServer } from '../../src/server.js';
import { filesKind } from './files-kind.js';

const server = await startServer(loadConfig(), {
  kinds: [filesKind, ...jobKinds],
  webhookDelaysMs: [0, 200, 400, 800, 1500, 3000],
  webhookTimeoutMs: 1000,
});
process.on('SIGTERM', () => void server.stop());
process.stdout.write('ready\n');
