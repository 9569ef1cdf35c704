import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cached } from '../../cache.js';
import { dataPath, readRows } from '../../data.js';
import { type KeyName, pitchClass } from '../metrics/key.js';

export interface Beat {
  timeS: number;
  downbeat: boolean;
}

/** One chord in Harte's syntax. */
export interface ChordSpan {
  startS: number;
  endS: number;
  label: string;
}

/** A song of POP909 (Wang et al. 2020): MIDI with melody, bridge and piano tracks, and annotations of the MIDI's time. */
export interface Song {
  id: string;
  midi: Buffer;
  key: KeyName;
  beats: Beat[];
  chords: ChordSpan[];
}

/**
 * The songs the benches hold out, so that nothing is tuned or trained on what measures it: numbers that end in 7.
 * Only those with one key throughout, on which both annotations of the archive agree.
 */
export async function heldOutSongs(): Promise<Song[]> {
  const root = await unpacked();
  const folder = join(root, 'midi_pop909', 'POP909');
  const ids = (await readdir(folder)).filter((name) => /^\d\d7$/.test(name)).sort();
  const songs: Song[] = [];
  for (const id of ids) {
    const keys = await readRows(join(folder, id, 'key_audio.txt'));
    const analyzed = await readRows(join(root, 'midi_pop909_structure', 'POP909', id, 'analyzed_key.txt'));
    const label = keys[0]?.[2];
    if (keys.length !== 1 || label === undefined || label !== analyzed[0]?.[0]) continue;
    songs.push(await readSong(folder, id, label));
  }
  return songs;
}

async function readSong(folder: string, id: string, label: string): Promise<Song> {
  const [tonic = '', mode] = label.split(':');
  const beats = await readRows(join(folder, id, 'beat_midi.txt'));
  const chords = await readRows(join(folder, id, 'chord_midi.txt'));
  return {
    id,
    midi: await readFile(join(folder, id, `${id}.mid`)),
    key: { tonic: pitchClass(tonic), mode: mode === 'min' ? 'minor' : 'major' },
    // Columns: time, downbeat in two beats a bar, downbeat in four.
    beats: beats.map((row) => ({ timeS: Number(row[0]), downbeat: Number(row[2]) === 1 })),
    chords: chords.map(([start, end, chord]) => ({
      startS: Number(start),
      endS: Number(end),
      label: chord!,
    })),
  };
}

async function unpacked(): Promise<string> {
  const archive = dataPath('pop909.tar.gz');
  return cached('pop909', async (path) => {
    await mkdir(path);
    await promisify(execFile)('tar', ['-xzf', archive, '-C', path]);
  });
}
