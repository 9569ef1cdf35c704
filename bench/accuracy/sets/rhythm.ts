import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dataPath, readRows } from '../../data.js';
import type { Answer } from '../engine.js';
import { continuity } from '../metrics/continuity.js';
import { BEAT_TOLERANCE_S, eventScore, trimEvents } from '../metrics/events.js';
import { tempoAccuracy, tempoOfBeats } from '../metrics/tempo.js';
import { type AccuracySet, meanColumn, type Row } from '../set.js';

/**
 * Trackers are granted 5 s to settle, but not in clips so short that little would be left to score: half of the clips
 * last 10 s. (This rule reproduces the peers' figures from their output.)
 */
const SETTLING_S = 5;
const LONG_CLIP_S = 10.5;

export const rhythm: AccuracySet = {
  name: 'rhythm',
  title: 'Beats (±70 ms), downbeats and tempo (±4 %) of short clips in many styles',
  columns: [
    meanColumn('beat_f', 'beat F'),
    meanColumn('cmlt', 'CMLt'),
    meanColumn('amlt', 'AMLt'),
    meanColumn('downbeat_f', 'downbeat F'),
    meanColumn('acc1', 'Acc1'),
    meanColumn('acc2', 'Acc2'),
  ],
  async run(analyze) {
    const folder = dataPath('rhythm');
    const clips = (await readdir(folder)).filter((name) => name.endsWith('.ogg')).sort();
    const files = clips.map((clip) => join(folder, clip));
    const answers = await analyze(files, ['beatgrid']);
    return Promise.all(
      clips.map(async (clip, i) => scoreClip(clip, await annotation(files[i]!), answers[i]!)),
    );
  },
};

interface Annotation {
  beats: number[];
  downbeats: number[];
}

/** `<clip>.beats`: time and place in the bar, 1 for a downbeat. */
async function annotation(file: string): Promise<Annotation> {
  const rows = await readRows(file.replace(/\.ogg$/, '.beats'));
  const time = (row: string[]): number => Number(row[0]);
  return { beats: rows.map(time), downbeats: rows.filter((row) => Number(row[1]) === 1).map(time) };
}

/** An answer that failed or found nothing scores 0, as silence of any program does. */
export function scoreClip(file: string, reference: Annotation, answer: Answer): Row {
  const startS = (answer.duration_s ?? 0) > LONG_CLIP_S ? SETTLING_S : 0;
  const beats = trimEvents(answer.beats ?? [], startS);
  const downbeats = trimEvents(answer.downbeats ?? [], startS);
  const referenceBeats = trimEvents(reference.beats, startS);
  const levels = continuity(referenceBeats, beats);
  const referenceBpm = tempoOfBeats(reference.beats);
  const tempo =
    referenceBpm === null ? { acc1: NaN, acc2: NaN } : tempoAccuracy(referenceBpm, answer.tempo ?? null);
  return {
    file,
    values: {
      beat_f: eventScore(referenceBeats, beats, BEAT_TOLERANCE_S).f,
      cmlt: levels.cmlT,
      amlt: levels.amlT,
      downbeat_f: eventScore(trimEvents(reference.downbeats, startS), downbeats, BEAT_TOLERANCE_S).f,
      ...tempo,
    },
  };
}
