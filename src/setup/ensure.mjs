// Everything between a fresh clone and a program that runs, each step skipped when it is already done.
import { existsSync } from 'node:fs';
import { ensureAddon } from './addon.mjs';
import { fingerprint, unlessStamped } from './stamp.mjs';
import { run } from './run.mjs';
import { ensureSystemPackages } from './system.mjs';

const MINIMUM_NODE = 20;

export function ensureReady({ forTests = false } = {}) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < MINIMUM_NODE) {
    console.error(`Node.js ${MINIMUM_NODE} or later is needed; this is ${process.version}.`);
    process.exit(1);
  }
  if (!existsSync('package-lock.json')) {
    console.error('Run this in the folder that holds package.json and package-lock.json.');
    process.exit(1);
  }
  ensureSystemPackages({ forTests });
  unlessStamped({
    stamp: 'node_modules/.tonearm-stamp',
    output: 'node_modules/.package-lock.json',
    inputs: fingerprint(['package-lock.json'], process.version),
    make: () => {
      console.log('Installing packages …');
      run('npm', 'ci', '--no-audit', '--no-fund', '--include=dev');
    },
  });
  ensureAddon();
  unlessStamped({
    stamp: 'dist/.tonearm-stamp',
    output: 'dist/cli.js',
    inputs: fingerprint(['src', 'tsconfig.json', 'tsconfig.build.json', 'package.json']),
    make: () => {
      console.log('Compiling TypeScript …');
      // Without its "pre" script, which lays out packages for a release.
      run('npm', 'run', '--silent', '--ignore-scripts', 'build');
    },
  });
}
