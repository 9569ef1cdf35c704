import { type Platform, segmentAfter } from './platform.js';

/** Amazon's article numbers (ASIN); those of music begin with B. */
export const amazon: Platform = {
  name: 'amazon',
  title: 'Amazon Music track',
  example: 'B07XYZ1234',
  canonical(text) {
    const upper = text.toUpperCase();
    return /^B[0-9A-Z]{9}$/.test(upper) ? upper : undefined;
  },
  url: (value) => `https://music.amazon.com/tracks/${value}`,
  hosts: /^((www|music|smile|m)\.)?amazon\.(com|[a-z]{2}|com?\.[a-z]{2})$/,
  fromUrl(url, segments) {
    const onAlbum = url.searchParams.get('trackAsin');
    if (onAlbum !== null) return onAlbum;
    // The shop's own pages: /dp/<asin>, /<words>/dp/<asin>/ref=…, /gp/product/<asin>
    const product = url.hostname.startsWith('music.') ? [] : ['dp', 'product'];
    return segmentAfter(segments, 'tracks', ...product);
  },
};
