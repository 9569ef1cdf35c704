import type { Platform } from './platform.js';

/** As many as the largest row number that a JavaScript number holds exactly takes. */
const maxDigits = 11;

/**
 * Our own ids: `trk_` and the track's row number in base 36. No random part: the catalogue is the same to everybody, and
 * a column of random ids would add about 40 bytes a track, with an index that every insert hits at another place.
 */
export function ownId(row: number): string {
  return row.toString(36);
}

export function ownRow(value: string): number {
  return parseInt(value, 36);
}

export const own: Platform = {
  name: 'trk',
  title: 'own track id',
  example: '1a2b3',
  canonical(text) {
    const bare = text.toLowerCase();
    if (!/^[1-9a-z][0-9a-z]*$/.test(bare) || bare.length > maxDigits) return undefined;
    return Number.isSafeInteger(ownRow(bare)) ? bare : undefined;
  },
  url: () => undefined,
};
