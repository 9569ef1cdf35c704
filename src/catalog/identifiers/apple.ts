import { type Platform, positiveNumber, segmentAfter } from './platform.js';

/** Songs of Apple Music and the iTunes Store; a song on an album's page is its parameter `i`. */
export const apple: Platform = {
  name: 'apple',
  title: 'Apple Music song',
  example: '1452618711',
  canonical: positiveNumber,
  url: (value) => `https://music.apple.com/us/song/${value}`,
  hosts: /^((geo|embed|beta|classical)\.)?music\.apple\.com$|^(geo\.)?itunes\.apple\.com$/,
  fromUrl(url, segments) {
    const onAlbum = url.searchParams.get('i');
    if (onAlbum !== null) return onAlbum;
    if (segmentAfter(segments, 'song') === undefined) return undefined;
    // /us/song/<words>/<id> or /us/song/<id>
    return segments.at(-1)?.replace(/^id/, '');
  },
};
