import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, Missing } from '../../command.js';

const SOUND_FONT = '/usr/share/sounds/sf2/FluidR3_GM.sf2';
const HINT = 'Debian: apt-get install fluidsynth fluid-soundfont-gm ffmpeg';

/** Without reverberation and chorus, which would take most of the time. */
const PLAYER = ['-ni', '-q', '-R', '0', '-C', '0', '-r', '44100', '-T', 'wav'];

/**
 * Plays the first `lengthS` seconds of a Standard MIDI File with FluidSynth and encodes them with FFmpeg in the format
 * of the path's extension; `encoding` are further output options of FFmpeg.
 */
export async function renderMidi(
  midi: Buffer,
  lengthS: number,
  encoding: readonly string[],
  path: string,
): Promise<void> {
  if (!existsSync(SOUND_FONT)) throw new Missing(`${SOUND_FONT} is not there (${HINT})`);
  const folder = await mkdtemp(join(tmpdir(), 'tonearm-bench-'));
  try {
    const [score, sound] = [join(folder, 'score.mid'), join(folder, 'sound.wav')];
    await writeFile(score, midi);
    await command('fluidsynth', [...PLAYER, '-F', sound, SOUND_FONT, score], HINT);
    const output = ['-t', String(lengthS), '-bitexact', ...encoding, path];
    await command('ffmpeg', ['-v', 'error', '-y', '-i', sound, ...output], HINT);
  } finally {
    await rm(folder, { recursive: true });
  }
}
