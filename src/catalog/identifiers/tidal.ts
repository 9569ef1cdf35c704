import { type Platform, positiveNumber, segmentAfter } from './platform.js';

export const tidal: Platform = {
  name: 'tidal',
  title: 'TIDAL track',
  example: '134858527',
  canonical: positiveNumber,
  url: (value) => `https://tidal.com/browse/track/${value}`,
  hosts: /^((www|listen|embed|desktop|store)\.)?tidal\.com$/,
  fromUrl: (_url, segments) => segmentAfter(segments, 'track', 'tracks'),
  fromUri: (uri) => /^tidal:\/\/track\/(\d+)/i.exec(uri)?.[1],
};
