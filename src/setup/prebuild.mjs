// `npm run prebuild`: lays out the package @tonearm/engine-<platform> under npm/, holding the engine built on this machine.
// A release runs it once on each platform. npm also runs it before `npm run build`, as it does with every "pre" script; the
// stamp makes that cost nothing.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { ADDON, ensureAddon } from './addon.mjs';
import { fingerprint, unlessStamped } from './stamp.mjs';
import { run } from './run.mjs';

const TARGETS = { x64: 'x86_64-unknown-linux-gnu', arm64: 'aarch64-unknown-linux-gnu' };

function layOut(target) {
  mkdirSync('build/artifacts', { recursive: true });
  copyFileSync(ADDON, `build/artifacts/tonearm.linux-${process.arch}-gnu.node`);
  // The command line of @napi-rs/cli wants an artifact for every target it is told of; here there is just ours.
  writeFileSync(
    'build/napi.json',
    JSON.stringify({ binaryName: 'tonearm', packageName: '@tonearm/engine', targets: [target] }),
  );
  const config = ['--config-path', 'build/napi.json', '--npm-dir', 'npm'];
  run('npx', 'napi', 'create-npm-dirs', ...config);
  run('npx', 'napi', 'artifacts', ...config, '--output-dir', 'build/artifacts');
  rmSync(`tonearm.linux-${process.arch}-gnu.node`, { force: true }); // a copy that nobody asked for
}

const target = process.platform === 'linux' ? TARGETS[process.arch] : undefined;
if (target === undefined) {
  console.log(
    `Prebuilt engines are made for linux-x64 and linux-arm64; this is ${process.platform}-${process.arch}.`,
  );
} else {
  ensureAddon();
  // Where a prebuilt engine is in use, nothing was built here.
  if (existsSync(ADDON)) {
    unlessStamped({
      stamp: 'build/prebuild.stamp',
      output: `npm/linux-${process.arch}-gnu/tonearm.linux-${process.arch}-gnu.node`,
      inputs: fingerprint([ADDON, 'package.json']),
      make: () => layOut(target),
    });
  }
}
