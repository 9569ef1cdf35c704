// System packages: what the build needs beyond Node.js, found or installed. Plain JavaScript without dependencies, because
// it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const runs = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const hasCommand = (name) => () => runs('sh', ['-c', `command -v ${name}`]);
const hasLibrary = (name) => () => runs('pkg-config', ['--exists', name]);

/** Debian package, why it is needed, and how to see that it is there (under any distribution). */
const BUILD = [
  { name: 'g++', why: 'compiles the engine', present: hasCommand('g++') },
  { name: 'make', why: 'runs the engine build', present: hasCommand('make') },
  { name: 'python3', why: 'node-gyp is written in it', present: hasCommand('python3') },
  { name: 'pkg-config', why: 'finds the FFmpeg libraries', present: hasCommand('pkg-config') },
  { name: 'libavformat-dev', why: 'reads audio containers', present: hasLibrary('libavformat') },
  { name: 'libavcodec-dev', why: 'decodes audio', present: hasLibrary('libavcodec') },
  { name: 'libswresample-dev', why: 'converts sample formats', present: hasLibrary('libswresample') },
  { name: 'libavutil-dev', why: 'is shared by the three above', present: hasLibrary('libavutil') },
];
const TEST = [{ name: 'cmake', why: 'builds the C++ tests', present: hasCommand('cmake') }];

function isDebianFamily() {
  return existsSync('/etc/debian_version') && runs('sh', ['-c', 'command -v apt-get']);
}

/** The command prefix that makes us root: nothing, sudo without a password, or undefined when there is no way. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return runs('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

function distribution() {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}

/**
 * Makes sure the system packages are there; prints what it installs and why. Exits with status 1, after printing the exact
 * command to run, where it may not install.
 */
export function ensureSystemPackages({ forTests }) {
  const missing = [...BUILD, ...(forTests ? TEST : [])].filter((each) => !each.present());
  if (missing.length === 0) return;
  console.log('Missing on this system:');
  for (const { name, why } of missing) console.log(`  ${name.padEnd(18)} ${why}`);

  const names = missing.map((each) => each.name);
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...names];
  if (!isDebianFamily()) {
    console.error(
      `\nThis is ${distribution()}; packages are installed by themselves only on Debian and its family.`,
    );
    console.error(
      'Install the packages of these names (or their like) and run the command again. On Debian it would be:',
    );
    console.error(`  sudo apt-get update && sudo ${install.join(' ')}`);
    process.exit(1);
  }
  const prefix = rootPrefix();
  if (prefix === undefined) {
    console.error('\nInstalling them needs root. Run this, then the same command again:');
    console.error(`  sudo apt-get update && sudo ${install.join(' ')}`);
    process.exit(1);
  }
  for (const args of [['apt-get', 'update', '-qq'], install]) {
    const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', ...args];
    console.log(`> ${[...prefix, ...args].join(' ')}`);
    const { status } = spawnSync(command, rest, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) {
      console.error(`\nThat failed (status ${status}). Put it right and run the same command again:`);
      console.error(`  sudo ${args.join(' ')}`);
      process.exit(1);
    }
  }
}
