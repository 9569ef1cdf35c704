import { type Platform, positiveNumber, segmentAfter } from './platform.js';

export const deezer: Platform = {
  name: 'deezer',
  title: 'Deezer track',
  example: '781592622',
  canonical: positiveNumber,
  url: (value) => `https://www.deezer.com/track/${value}`,
  hosts: /^((www|widget|api|m)\.)?deezer\.com$/,
  fromUrl: (_url, segments) => segmentAfter(segments, 'track'),
  fromUri: (uri) => /^deezer:\/\/(?:www\.deezer\.com\/)?(?:\w\w\/)?track\/(\d+)/i.exec(uri)?.[1],
};
