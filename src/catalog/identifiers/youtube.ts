import { type Platform, segmentAfter } from './platform.js';

const canonical = (text: string) => (/^[\w-]{11}$/.test(text) ? text : undefined);

/** Videos of YouTube, which are the songs of YouTube Music. */
export const youtube: Platform = {
  name: 'youtube',
  title: 'YouTube video',
  example: 'dQw4w9WgXcQ',
  canonical,
  url: (value) => `https://www.youtube.com/watch?v=${value}`,
  hosts: /^((www|m|music|gaming)\.)?youtube(-nocookie)?\.com$|^(www\.)?youtu\.be$/,
  fromUrl(url, segments) {
    if (url.hostname.endsWith('youtu.be')) return segments[0];
    const video = url.searchParams.get('v');
    if (video !== null) return video;
    if (segments[0] === 'attribution_link') {
      const to = url.searchParams.get('u') ?? '';
      return (URL.canParse(to, url.href) && new URL(to, url).searchParams.get('v')) || undefined;
    }
    return segmentAfter(segments, 'embed', 'v', 'e', 'shorts', 'live', 'watch');
  },
  fromUri: (uri) => /^(?:vnd\.youtube|youtube):(?:\/\/)?([\w-]{11})(?![\w-])/i.exec(uri)?.[1],
};
