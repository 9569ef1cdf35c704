import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '../..');

function sourcesInTree(): string[] {
  return ['native/core', 'native/binding'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.cpp'))
      .map((file) => `${folder}/${file}`),
  );
}

/** Sources of other processors' kernels, which this machine's builds rightly leave out. */
const foreign = process.arch === 'arm64' ? /kernels_avx\w*\.cpp$/ : /kernels_neon\.cpp$/;
const expected = sourcesInTree()
  .filter((file) => !foreign.test(file))
  .sort();

/** What node-gyp compiles: the object files its generated makefiles name. */
function sourcesOfGyp(): string[] {
  return readdirSync(join(root, 'build'))
    .filter((file) => file.endsWith('.target.mk'))
    .flatMap((file) => [
      ...readFileSync(join(root, 'build', file), 'utf8').matchAll(
        /\$\(obj\)\.target\/(?:\w+|\$\(TARGET\))\/(\S+)\.o\b/g,
      ),
    ])
    .map((match) => `${match[1] ?? ''}.cpp`)
    .filter((file) => file.startsWith('native/'));
}

/** What CMake compiles, by its own account. */
function sourcesOfCmake(): string[] {
  const commands = JSON.parse(readFileSync(join(root, 'build-native/compile_commands.json'), 'utf8')) as {
    file: string;
  }[];
  return commands
    .map(({ file }) => relative(root, file))
    .filter((file) => /^native\/(core|binding)\//.test(file));
}

const unique = (files: string[]): string[] => [...new Set(files)].sort();

t.test(
  'node-gyp compiles every source of the engine',
  { skip: !existsSync(join(root, 'build/core.target.mk')) && 'not built by node-gyp here' },
  (t) => {
    t.same(unique(sourcesOfGyp()), expected);
    t.end();
  },
);

t.test(
  'CMake compiles every source of the engine',
  { skip: !existsSync(join(root, 'build-native/compile_commands.json')) && 'not built by CMake here' },
  (t) => {
    t.same(unique(sourcesOfCmake()), expected);
    t.end();
  },
);
