import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const root = fileURLToPath(new URL('../../', import.meta.url));

const borders: { what: string; pattern: RegExp; in: string[]; allowed: RegExp }[] = [
  {
    what: '<napi.h>',
    pattern: /#include\s*[<"](napi|node_api)/,
    in: ['native'],
    allowed: /^native\/binding\//,
  },
  {
    what: "libav's headers",
    pattern: /#include\s*[<"]lib(av|sw)\w+\//,
    in: ['native'],
    allowed: /^native\/(core\/codec|test|tools)\//,
  },
  {
    what: 'onnxruntime-node',
    pattern: /from 'onnxruntime-node'|import\('onnxruntime-node'\)/,
    in: ['src'],
    allowed: /^src\/inference\/session\.ts$/,
  },
  { what: 'better-sqlite3', pattern: /from 'better-sqlite3'/, in: ['src'], allowed: /^src\/store\// },
  { what: 'fastify', pattern: /from 'fastify'/, in: ['src'], allowed: /^src\/(http\/|app\.ts$|server\.ts$)/ },
];

for (const border of borders) {
  t.test(`${border.what} stays behind its border`, (t) => {
    const files = border.in.flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file}`)
        .filter((file) => /\.(ts|mjs|[ch]pp|inl)$/.test(file)),
    );
    t.ok(files.length > 5, 'the tree was found');
    const using = files.filter((file) => border.pattern.test(readFileSync(`${root}${file}`, 'utf8')));
    t.same(
      using.filter((file) => !border.allowed.test(file)),
      [],
    );
    t.end();
  });
}
