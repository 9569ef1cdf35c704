import { type Platform, segmentAfter } from './platform.js';

/** 128 bits in base62. */
export const spotify: Platform = {
  name: 'spotify',
  title: 'Spotify track',
  example: '4PTG3Z6ehGkBFwjybzWkR8',
  canonical: (text) => (/^[0-9A-Za-z]{22}$/.test(text) ? text : undefined),
  url: (value) => `https://open.spotify.com/track/${value}`,
  hosts: /^((open|play|embed|www)\.)?spotify\.com$/,
  fromUrl(url, segments) {
    // An album's page that points at one of its tracks, and the old embedded player.
    const pointed = url.searchParams.get('highlight') ?? url.searchParams.get('uri');
    return segmentAfter(segments, 'track') ?? (pointed === null ? undefined : this.fromUri?.(pointed));
  },
  fromUri: (uri) => /^spotify:(?:\/\/)?track[:/]([^?:/]+)/i.exec(uri)?.[1],
};
