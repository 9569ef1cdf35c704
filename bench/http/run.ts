// `npm run bench:http`: requests a second and latency of cached answers, beside bare Fastify routes on the same machine in
// the same run; the ratios count, not the figures.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const secondsEach = Number(process.env.BENCH_SECONDS ?? 5);
const rounds = 3;

const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), { execArgv: ['--import=tsx'] });
const [{ service, bare, key }] = (await once(child, 'message')) as [
  { service: number; bare: number; key: string },
];
const headers = { authorization: `Bearer ${key}`, 'content-type': 'audio/wav' };
const wrong = { ...headers, authorization: `Bearer svc_live_${'x'.repeat(43)}` };
const song = Buffer.alloc(5_000_000, 'tonearm');

const cases: Record<string, autocannon.Options> = {
  'bare route, same JSON': { url: `http://127.0.0.1:${bare}/json` },
  'account (key, limits, database)': { url: `http://127.0.0.1:${service}/v1/account`, headers },
  'repeated upload, 1 byte': {
    url: `http://127.0.0.1:${service}/v1/bpm`,
    method: 'POST',
    headers,
    body: 'x',
  },
  'wrong key': { url: `http://127.0.0.1:${service}/v1/account`, headers: wrong },
  'bare route, 5 MB read and hashed': {
    url: `http://127.0.0.1:${bare}/hash`,
    method: 'POST',
    headers,
    body: song,
    connections: 4,
  },
  'repeated upload, 5 MB': {
    url: `http://127.0.0.1:${service}/v1/bpm`,
    method: 'POST',
    headers,
    body: song,
    connections: 4,
  },
};

await fetch(cases['repeated upload, 5 MB']?.url as string, { method: 'POST', headers, body: song });
const best = new Map<string, { perSecond: number; p50Ms: number; p99Ms: number }>();
for (let round = 0; round < rounds; round++) {
  for (const [name, options] of Object.entries(cases)) {
    const { requests, latency } = await autocannon({ connections: 64, duration: secondsEach, ...options });
    const figures = { perSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99 };
    if (figures.perSecond > (best.get(name)?.perSecond ?? 0)) best.set(name, figures);
  }
}
child.disconnect();

const base = (name: string): number =>
  best.get(name.includes('5 MB') ? 'bare route, 5 MB read and hashed' : 'bare route, same JSON')?.perSecond ??
  1;
const rows = [...best].map(([name, figures]) => ({
  name,
  ...figures,
  ofBare: figures.perSecond / base(name),
}));
console.log('| | requests/s | of bare | p50 ms | p99 ms |\n|---|---|---|---|---|');
for (const { name, perSecond, ofBare, p50Ms, p99Ms } of rows) {
  console.log(
    `| ${name} | ${Math.round(perSecond)} | ${(ofBare * 100).toFixed(0)} % | ${p50Ms} | ${p99Ms} |`,
  );
}
const results = fileURLToPath(new URL('../results/', import.meta.url));
mkdirSync(results, { recursive: true });
writeFileSync(`${results}http.json`, `${JSON.stringify({ rounds, secondsEach, rows }, null, 2)}\n`);
