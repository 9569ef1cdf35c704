import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { commandLine } from '../../../bench/accuracy/engine.js';
import { scoreTake } from '../../../bench/accuracy/sets/key.js';
import { scoreSignal } from '../../../bench/accuracy/sets/loudness.js';
import { scoreClip } from '../../../bench/accuracy/sets/rhythm.js';

/** Stands for the command line: answers every file with its arguments, last file first. */
const fakeCommandLine = `
  const [, , analyze, json, only, list, ...files] = process.argv;
  for (const file of files.reverse()) console.log(JSON.stringify({ file, key: [analyze, json, only, list].join(' ') }));
`;

t.test('answers come back in the order of the files, whatever the order they were given in', async (t) => {
  const script = join(t.testdir(), 'cli.mjs');
  await writeFile(script, fakeCommandLine);
  const answers = await commandLine(script)(['a.wav', 'b.wav'], ['key', 'lufs']);
  t.same(
    answers.map((answer) => answer.file),
    ['a.wav', 'b.wav'],
  );
  t.equal(answers[0]!.key, 'analyze --json --only key,lufs');
});

t.test('a file without an answer is an error, not a score', async (t) => {
  const script = join(t.testdir(), 'cli.mjs');
  await writeFile(script, 'process.exitCode = 3');
  await t.rejects(commandLine(script)(['a.wav'], ['key']), /no answer for a\.wav \(exit code 3\)/);
});

t.test('without a build the bench says what is missing', async (t) => {
  await t.rejects(
    commandLine(join(t.testdir(), 'cli.js'))(['a.wav'], ['key']),
    /is not built \(npm run build\)/,
  );
});

const beats = Array.from({ length: 40 }, (_, i) => i / 2); // 120 BPM for 20 s
const reference = { beats, downbeats: beats.filter((_, i) => i % 4 === 0) };

t.test('a right answer scores 1 throughout', async (t) => {
  const answer = { file: '', duration_s: 20, tempo: 120, beats, downbeats: reference.downbeats };
  const all = { beat_f: 1, cmlt: 1, amlt: 1, downbeat_f: 1, acc1: 1, acc2: 1 };
  t.match(scoreClip('clip', reference, answer).values, all);
});

t.test('the first five seconds are forgiven in a long clip and not in a short one', async (t) => {
  const late = { file: '', tempo: 120, beats: beats.filter((beat) => beat >= 5), downbeats: [] };
  t.equal(scoreClip('clip', reference, { ...late, duration_s: 20 }).values['beat_f'], 1);
  // 30 of 40 beats found: P = 1, R = 3/4.
  t.equal(scoreClip('clip', reference, { ...late, duration_s: 10 }).values['beat_f'], 6 / 7);
});

t.test('an answer that is an error scores 0', async (t) => {
  const answer = { file: '', error: { code: 'undecodable_audio', message: '' } };
  const none = { beat_f: 0, cmlt: 0, amlt: 0, downbeat_f: 0, acc1: 0, acc2: 0 };
  t.match(scoreClip('clip', reference, answer).values, none);
});

t.test('a key is scored with its confidence and the tuning it was played at', async (t) => {
  const arrangement = { melody: 0, bridge: 0, piano: 0, detuneCents: 20 };
  const answer = { file: '', key: 'G', mode: 'major' as const, key_confidence: 0.7, tuning_hz: 440 };
  const take = scoreTake('7 piano', 'piano', { tonic: 0, mode: 'major' }, arrangement, answer);
  t.match(take.values, { weighted: 0.5, exact: 0, confidence: 0.7, tuning_error_cents: 20 });
  const silent = scoreTake('7 piano', 'piano', { tonic: 0, mode: 'major' }, arrangement, {
    file: '',
    key: null,
  });
  t.match(silent.values, { weighted: 0, exact: 0 });
});

t.test('a loudness reading is inside only when every value is, and a missing one is not', async (t) => {
  const signal = {
    name: 'case',
    channels: [],
    channelMask: 3,
    expected: [
      { field: 'integrated_lufs' as const, value: -23, below: 0.1, above: 0.1 },
      { field: 'true_peak_dbtp' as const, value: -6, below: 0.4, above: 0.2 },
    ],
  };
  const inside = (integrated: number | null, peak: number): number =>
    scoreSignal(signal, { file: '', integrated_lufs: integrated, true_peak_dbtp: peak }).values['inside']!;
  t.equal(inside(-23.05, -6.3), 1);
  t.equal(inside(-23.05, -5.7), 0);
  t.equal(inside(-23.15, -6), 0);
  t.equal(inside(null, -6), 0);
});
