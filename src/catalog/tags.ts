import { basename, extname } from 'node:path';
import { parseFile } from 'music-metadata';
import { type Identifier, platforms } from './identifiers/identifier.js';
import type { PlatformName } from './identifiers/platform.js';

export interface Tags {
  artist: string;
  title: string;
  album: string | null;
  identifiers: Identifier[];
}

/** What a file says of itself; where it says nothing, its name does: "Artist - Title.flac". */
export async function readTags(path: string): Promise<Tags> {
  const { common } = await parseFile(path, { skipCovers: true }).catch(() => ({ common: undefined }));
  const name = basename(path, extname(path));
  const [, nameArtist = '', nameTitle = name] = /^(.+?) - (.+)$/.exec(name) ?? [];
  const given: [PlatformName, string | undefined][] = [
    ...(common?.isrc ?? []).map((isrc): [PlatformName, string] => ['isrc', isrc]),
    ['mbid', common?.musicbrainz_recordingid],
    ['discogs', common?.discogs_release_id === undefined ? undefined : String(common.discogs_release_id)],
  ];
  return {
    artist: common?.artist?.trim() || nameArtist,
    title: common?.title?.trim() || nameTitle,
    album: common?.album?.trim() || null,
    identifiers: given.flatMap(([platform, text]) => {
      const value = text === undefined ? undefined : platforms[platform].canonical(text.trim());
      return value === undefined ? [] : [{ platform, value }];
    }),
  };
}
