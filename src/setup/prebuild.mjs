// `npm run prebuild`: lays out the package @tonearm/engine-<platform> under npm/, holding the engine built on this machine.
// A release runs it once on each platform.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { ADDON, ensureAddon } from './addon.mjs';
import { run } from './run.mjs';

const TARGETS = { x64: 'x86_64-unknown-linux-gnu', arm64: 'aarch64-unknown-linux-gnu' };
const target = process.platform === 'linux' ? TARGETS[process.arch] : undefined;
if (target === undefined) {
  console.error(
    `Prebuilt engines are made for linux-x64 and linux-arm64; this is ${process.platform}-${process.arch}.`,
  );
  process.exit(1);
}

ensureAddon();
mkdirSync('build/artifacts', { recursive: true });
copyFileSync(ADDON, `build/artifacts/tonearm.linux-${process.arch}-gnu.node`);
// The command line of @napi-rs/cli wants an artifact for every target it is told of; here there is just ours.
writeFileSync(
  'build/napi.json',
  JSON.stringify({ binaryName: 'tonearm', packageName: '@tonearm/engine', targets: [target] }),
);
run('npx', 'napi', 'create-npm-dirs', '--config-path', 'build/napi.json');
run(
  'npx',
  'napi',
  'artifacts',
  '--config-path',
  'build/napi.json',
  '--output-dir',
  'build/artifacts',
  '--npm-dir',
  'npm',
);
