import { platformNames, type PlatformName } from '../../catalog/identifiers/platform.js';
import type { SqliteDatabase } from '../database.js';

interface StoredIdentifier {
  platform: PlatformName;
  value: string;
}

/** Redirects of redirects end after this many; merges are kept flat by MusicBrainz, so that more is a circle. */
const maxRedirects = 8;

/** Which tracks an identifier means, and which identifiers a track has. Values are canonical. */
export class IdentifierStore {
  readonly #add;
  readonly #tracks;
  readonly #ofTrack;
  readonly #redirect;
  readonly #addRedirect;

  constructor(db: SqliteDatabase) {
    this.#add = db.prepare<[number, Key, number]>(
      'INSERT OR IGNORE INTO identifiers (platform, value, track) VALUES (?, ?, ?)',
    );
    this.#tracks = db
      .prepare<[number, Key, number], number>(
        'SELECT track FROM identifiers WHERE platform = ? AND value = ? ORDER BY track LIMIT ?',
      )
      .pluck();
    this.#ofTrack = db.prepare<[number], { platform: number; value: Key }>(
      'SELECT platform, value FROM identifiers WHERE track = ? ORDER BY platform, value',
    );
    this.#redirect = db.prepare<[Key], Buffer>('SELECT new FROM mbid_redirects WHERE old = ?').pluck();
    this.#addRedirect = db.prepare<[Key, Key]>(
      'INSERT OR REPLACE INTO mbid_redirects (old, new) VALUES (?, ?)',
    );
  }

  add({ platform, value }: StoredIdentifier, track: number): void {
    this.#add.run(platformNumber(platform), toKey(value), track);
  }

  /** Redirected MBIDs are followed. */
  tracks({ platform, value }: StoredIdentifier, limit: number): number[] {
    const find = (key: Key) => this.#tracks.all(platformNumber(platform), key, limit);
    let key = toKey(value);
    const found = find(key);
    if (platform !== 'mbid') return found;
    for (let i = 0; i < maxRedirects && found.length === 0; i++) {
      const next = this.#redirect.get(key);
      if (next === undefined) break;
      key = next;
      found.push(...find(key));
    }
    return found;
  }

  ofTrack(track: number): StoredIdentifier[] {
    return this.#ofTrack.all(track).map(({ platform, value }) => ({
      platform: platformNames[platform]!,
      value: fromKey(value),
    }));
  }

  redirect(oldMbid: string, newMbid: string): void {
    this.#addRedirect.run(toKey(oldMbid), toKey(newMbid));
  }
}

type Key = string | bigint | number | Buffer;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function platformNumber(name: PlatformName): number {
  return platformNames.indexOf(name);
}

/** The shortest column value that is read back as the same text. */
function toKey(value: string): Key {
  if (uuid.test(value)) return Buffer.from(value.replaceAll('-', ''), 'hex');
  const number = Number(value);
  // A number would be bound as REAL, which a column of type ANY keeps, at 8 bytes; a bigint is bound as an integer.
  return Number.isSafeInteger(number) && String(number) === value ? BigInt(number) : value;
}

function fromKey(key: Key): string {
  if (!Buffer.isBuffer(key)) return String(key);
  return key.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
