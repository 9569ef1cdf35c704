import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Where Node's own C headers lie beside the running binary (all official builds bring them), so that node-gyp does not have to
 * download them; undefined when they are not there.
 */
function nodeDirectory() {
  const prefix = dirname(dirname(realpathSync(process.execPath)));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? prefix : undefined;
}

/** Runs a command with our output; exits with its status when it fails. */
export function run(command, ...args) {
  const nodedir = process.env.npm_config_nodedir ?? nodeDirectory();
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...(nodedir === undefined ? {} : { npm_config_nodedir: nodedir }),
      // CUDA's libraries come from outside the registry; the README says how a GPU machine adds them.
      ONNXRUNTIME_NODE_INSTALL: process.env.ONNXRUNTIME_NODE_INSTALL ?? 'skip',
    },
  });
  if (error !== undefined) throw error;
  if (status !== 0) {
    console.error(
      `\n"${[command, ...args].join(' ')}" failed (status ${status}); what it printed above says why.`,
    );
    process.exit(1);
  }
}
