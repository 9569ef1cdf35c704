import { type Platform, segmentAfter } from './platform.js';

/** Recordings of MusicBrainz, by UUID; AcousticBrainz and ListenBrainz use the same ids. */
export const musicbrainz: Platform = {
  name: 'mbid',
  title: 'MusicBrainz recording',
  example: 'b1a9c0e9-d987-4042-ae91-78d6a3267d69',
  canonical(text) {
    const lower = text.toLowerCase();
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lower) ? lower : undefined;
  },
  url: (value) => `https://musicbrainz.org/recording/${value}`,
  hosts: /^((beta|test)\.)?musicbrainz\.org$|^(www\.)?(acousticbrainz|listenbrainz)\.org$/,
  fromUrl(url, segments) {
    if (url.hostname.endsWith('acousticbrainz.org')) {
      return segments.find((segment) => this.canonical(segment) !== undefined);
    }
    // ListenBrainz calls a recording's page a track; on MusicBrainz itself a track is a place on a release.
    return segmentAfter(
      segments,
      'recording',
      ...(url.hostname.endsWith('listenbrainz.org') ? ['track'] : []),
    );
  },
};
