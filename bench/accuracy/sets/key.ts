import { cpus } from 'node:os';
import { cached } from '../../cache.js';
import type { Answer } from '../engine.js';
import { type KeyName, keyScore, pitchClass } from '../metrics/key.js';
import { mean } from '../metrics/score.js';
import { arrange, type Arrangement } from '../render/arrangement.js';
import { renderMidi } from '../render/fluidsynth.js';
import { heldOutSongs, type Song } from '../render/pop909.js';
import { type AccuracySet, type Column, meanColumn, type Row } from '../set.js';

const SONGS = 30;
const LENGTH_S = 90;

interface Condition {
  name: string;
  arrangement: (song: Song) => Arrangement;
  /** File name extension, which also tells FFmpeg the format, and its options. */
  extension: string;
  encoding: string[];
}

/** General MIDI: 0 piano, 25 steel guitar, 33 finger bass, 48 strings, 65 alto saxophone. */
const BAND: Arrangement = {
  melody: 65,
  bridge: 48,
  piano: 25,
  rhythmSection: { bass: 33, kit: 0 },
  detuneCents: 0,
};

const flac = { extension: 'flac', encoding: [] };

const CONDITIONS: Condition[] = [
  { name: 'piano', arrangement: () => ({ melody: 0, bridge: 0, piano: 0, detuneCents: 0 }), ...flac },
  { name: 'band', arrangement: () => BAND, ...flac },
  {
    // 81 saw lead, 89 warm pad, 4 electric piano, 38 synth bass; kit 25 is the analogue drum machine.
    name: 'synth',
    arrangement: () => ({
      melody: 81,
      bridge: 89,
      piano: 4,
      rhythmSection: { bass: 38, kit: 25 },
      detuneCents: 0,
    }),
    ...flac,
  },
  { name: 'detuned', arrangement: (song) => ({ ...BAND, detuneCents: detuning(song) }), ...flac },
  {
    name: 'lossy',
    arrangement: () => BAND,
    extension: 'mp3',
    encoding: ['-c:a', 'libmp3lame', '-b:a', '48k'],
  },
];

export const key: AccuracySet = {
  name: 'key',
  title: `Key of ${SONGS} pop songs played under ${CONDITIONS.length} conditions, ${LENGTH_S} s each (MIREX score)`,
  columns: [
    meanColumn('weighted', 'weighted'),
    meanColumn('exact', 'exact'),
    meanColumn('confidence', 'confidence'),
    calibrationColumn(),
    meanColumn('tuning_error_cents', 'tuning error, cents', 1),
  ],
  async run(analyze) {
    const songs = (await heldOutSongs()).slice(0, SONGS);
    const takes = songs.flatMap((song) => CONDITIONS.map((condition) => ({ song, condition })));
    const files = await inTurn(takes, ({ song, condition }) => render(song, condition));
    const answers = await analyze(files, ['key']);
    return takes.map(({ song, condition }, i) =>
      scoreTake(
        `${song.id} ${condition.name}`,
        condition.name,
        song.key,
        condition.arrangement(song),
        answers[i]!,
      ),
    );
  },
};

/** −40…40 cents, spread evenly over the songs by the golden ratio of their number. */
function detuning(song: Song): number {
  return 80 * ((Number(song.id) * 0.6180339887498949) % 1) - 40;
}

async function render(song: Song, { name, arrangement, extension, encoding }: Condition): Promise<string> {
  return cached(`key/${song.id}-${name}.${extension}`, (path) =>
    renderMidi(arrange(song, arrangement(song), LENGTH_S), LENGTH_S, encoding, path),
  );
}

/** Maps in order, as many at a time as there are processors. */
async function inTurn<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  const width = cpus().length;
  for (let start = 0; start < items.length; start += width) {
    results.push(...(await Promise.all(items.slice(start, start + width).map(work))));
  }
  return results;
}

export function scoreTake(
  file: string,
  group: string,
  reference: KeyName,
  arrangement: Arrangement,
  answer: Answer,
): Row {
  const estimate = answer.key && answer.mode ? { tonic: pitchClass(answer.key), mode: answer.mode } : null;
  const weighted = keyScore(reference, estimate);
  const tuningCents = answer.tuning_hz ? 1200 * Math.log2(answer.tuning_hz / 440) : NaN;
  return {
    file,
    group,
    values: {
      weighted,
      exact: weighted === 1 ? 1 : 0,
      confidence: estimate === null ? NaN : (answer.key_confidence ?? NaN),
      tuning_error_cents: Math.abs(tuningCents - arrangement.detuneCents),
    },
  };
}

/**
 * Expected calibration error (Naeini, Cooper and Hauskrecht 2015): answers in ten bins by their confidence; the distance
 * of each bin's mean confidence from its share of right answers, weighted by its size. 0.05 reads: a confidence is off by
 * five points on average.
 */
function calibrationColumn(): Column {
  const summary = (rows: readonly Row[]): number => {
    const sure = rows.filter((row) => !Number.isNaN(row.values['confidence'] ?? NaN));
    const binOf = (row: Row): number => Math.min(9, Math.floor(10 * row.values['confidence']!));
    let error = 0;
    for (let i = 0; i < 10; i++) {
      const bin = sure.filter((row) => binOf(row) === i);
      if (bin.length === 0) continue;
      const confidence = mean(bin.map((row) => row.values['confidence']!));
      const right = mean(bin.map((row) => row.values['exact']!));
      error += (bin.length / sure.length) * Math.abs(confidence - right);
    }
    return sure.length === 0 ? NaN : error;
  };
  return { key: 'calibration_error', title: 'calibration error', digits: 3, summary };
}
