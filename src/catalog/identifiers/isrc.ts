import type { Platform } from './platform.js';

/** ISO 3901: two letters, three letters or digits, two digits of the year, five of designation; hyphens are decoration. */
export const isrc: Platform = {
  name: 'isrc',
  title: 'ISRC',
  example: 'GBAYE0601498',
  canonical(text) {
    const compact = text.replaceAll(/[-\s]/g, '').toUpperCase();
    return /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(compact) ? compact : undefined;
  },
  url: (value) => `https://musicbrainz.org/isrc/${value}`,
  fromUri: (uri) => /^urn:isrc:(.+)$/i.exec(uri)?.[1],
};
