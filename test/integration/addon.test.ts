// The native module as JavaScript meets it: arguments that are wrong, and threads that come and go.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import type { AnalysisOutput, AnalyzeOptions } from '../../src/native/addon.js';
import { binaryCandidates, loadAddon } from '../../src/native/load.js';
import { beats } from '../helpers/signals.js';

const addon = loadAddon();
const song = beats(120, 6);
const options: AnalyzeOptions = { analyses: ['tempo', 'key', 'loudness'] };

/** The answer of a thread of its own, which has ended when it comes. */
async function analyzeInThread(): Promise<AnalysisOutput> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { binary, song, options } = workerData;
    parentPort.postMessage(require(binary).analyze(song, options));`;
  const binary = binaryCandidates().find(
    (candidate) => !candidate.endsWith('.node') || existsSync(candidate),
  );
  const worker = new Worker(code, { eval: true, execArgv: [], workerData: { binary, song, options } });
  const ended = once(worker, 'exit');
  const [output] = (await once(worker, 'message')) as [AnalysisOutput];
  await ended;
  return output;
}

t.test('the module loads in several threads at once, and again after they ended', async (t) => {
  const expected = addon.analyze(song, options);
  t.same(
    await Promise.all([analyzeInThread(), analyzeInThread(), analyzeInThread()]),
    Array(3).fill(expected),
  );
  t.same(await analyzeInThread(), expected);
  t.same(addon.analyze(song, options), expected);
});

t.test('wrong arguments are errors with a code and a message that names the argument', async (t) => {
  const loose = addon as unknown as { analyze(...args: unknown[]): unknown };
  const refusals: [unknown[], RegExp][] = [
    [[], /first argument/],
    [[song.buffer, options], /first argument/],
    [[song], /second argument/],
    [[song, {}], /analyses must be an array/],
    [[song, { analyses: ['mood'] }], /'mood'.*expected tempo/],
    [[song, { ...options, cancel: new Uint8Array(4) }], /cancel must be an Int32Array/],
    [[song, { ...options, cancel: new Int32Array(0) }], /cancel must be an Int32Array/],
    [[song, { ...options, maxDurationS: '9' }], /maxDurationS must be a number/],
    [['/nowhere/at/all', options], /could not be read/],
  ];
  for (const [args, message] of refusals)
    t.throws(() => loose.analyze(...args), { code: 'invalid_parameter', message }, String(message));
});

t.test("an exception of the caller's own passes through as it is", async (t) => {
  const hostile = {
    get analyses(): never {
      throw new RangeError('mine');
    },
  };
  t.throws(() => addon.analyze(song, hostile), new RangeError('mine'));
});
