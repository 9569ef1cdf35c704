// `npm install` runs this: the native engine, from a prebuilt package where there is one, else compiled here.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fingerprint, unlessStamped } from './stamp.mjs';
import { run } from './run.mjs';

export const ADDON = 'build/Release/tonearm.node';

/** Does a prebuilt engine for this platform lie in node_modules and load? */
function hasPrebuilt() {
  try {
    createRequire(import.meta.url)(`@tonearm/engine-${process.platform}-${process.arch}-gnu`);
    return true;
  } catch {
    return false;
  }
}

export function ensureAddon() {
  if (hasPrebuilt()) return;
  unlessStamped({
    stamp: 'build/tonearm.stamp',
    output: ADDON,
    inputs: fingerprint(
      ['binding.gyp', 'native/sources.gypi', 'native/core', 'native/binding', 'models/beats/beats.bin'],
      process.version,
    ),
    make: () => {
      console.log('Building the native engine (a minute or two) …');
      const nodeGyp = process.env.npm_config_node_gyp;
      const jobs = ['--jobs', 'max'];
      if (nodeGyp !== undefined) run(process.execPath, nodeGyp, 'rebuild', ...jobs);
      else run('npx', 'node-gyp', 'rebuild', ...jobs);
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureAddon();
