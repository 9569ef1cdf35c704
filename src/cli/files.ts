import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** In a directory, names choose what is worth opening; a file named by itself is always opened. */
const audioExtensions = new Set(
  '.mp3 .m4a .m4b .mp4 .aac .flac .wav .wave .rf64 .w64 .aif .aiff .aifc .ogg .oga .opus .wma'.split(' '),
);

/** The files named, and the audio files under the directories named, in the order of their paths. */
export async function findAudioFiles(paths: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const isDirectory = await stat(path).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
    if (isDirectory) found.push(...(await walk(path)));
    else found.push(path);
  }
  return found;
}

async function walk(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(path)));
    else if (audioExtensions.has(extname(entry.name).toLowerCase())) found.push(path);
  }
  return found;
}
