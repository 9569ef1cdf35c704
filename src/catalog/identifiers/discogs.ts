import { type Platform, segmentAfter } from './platform.js';

/**
 * Discogs numbers releases and masters, not tracks; such a number stands for whatever tracks are known to be on it. Its
 * own short forms are kept: `r249504` a release, `m96559` a master. A number alone is a release.
 */
export const discogs: Platform = {
  name: 'discogs',
  title: 'Discogs release',
  example: 'r249504',
  canonical(text) {
    const [, kind = '', number] = /^\[?([rm]?)0*([1-9]\d{0,11})\]?$/i.exec(text) ?? [];
    return number && `${kind.toLowerCase() || 'r'}${number}`;
  },
  url: (value) => `https://www.discogs.com/${value.startsWith('m') ? 'master' : 'release'}/${value.slice(1)}`,
  hosts: /^((www|m)\.)?discogs\.com$/,
  fromUrl(_url, segments) {
    // /release/<id>-<words>, /<language>/release/<id>, /<words>/release/<id>
    const number = (kind: string) => /^\d+/.exec(segmentAfter(segments, kind) ?? '')?.[0];
    const [release, master] = [number('release'), number('master')];
    if (release !== undefined) return `r${release}`;
    return master && `m${master}`;
  },
};
