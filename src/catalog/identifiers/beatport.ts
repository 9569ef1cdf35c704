import { type Platform, positiveNumber, segmentAfter } from './platform.js';

export const beatport: Platform = {
  name: 'beatport',
  title: 'Beatport track',
  example: '12345678',
  canonical: positiveNumber,
  // Any words will do in their place before the number.
  url: (value) => `https://www.beatport.com/track/-/${value}`,
  hosts: /^((www|pro|classic|embed)\.)?beatport\.com$/,
  fromUrl(url, segments) {
    if (url.searchParams.get('type') === 'track') return url.searchParams.get('id') ?? undefined;
    return segmentAfter(segments, 'track') === undefined ? undefined : segments.at(-1);
  },
};
