#!/usr/bin/env node
import { Command } from 'commander';
import { accountsCommand } from './cli/accounts.js';
import { analyzeCommand } from './cli/analyze.js';
import { ingestCommand } from './cli/ingest.js';
import { keysCommand } from './cli/keys.js';
import { serveCommand } from './cli/serve.js';
import { webhooksCommand } from './cli/webhooks.js';
import { version } from './version.js';

const program = new Command('tonearm')
  .description('Audio analysis over HTTP and from the command line')
  .version(version)
  .showHelpAfterError()
  .addCommand(serveCommand())
  .addCommand(analyzeCommand())
  .addCommand(ingestCommand())
  .addCommand(accountsCommand())
  .addCommand(keysCommand())
  .addCommand(webhooksCommand());

try {
  await program.parseAsync();
} catch (error) {
  // What a person did wrong or can put right; a stack would only hide it.
  process.stderr.write(`tonearm: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
