import type { CatalogStore } from '../store/catalog/catalog.js';
import type { NewTrack } from '../store/catalog/tracks.js';
import type { Identifier } from './identifiers/identifier.js';
import { matchKeys, matchName } from './normalise.js';

/** Adds a track with its identifiers and all it is found by; returns its id. One transaction. */
export function addTrack(catalog: CatalogStore, track: NewTrack, identifiers: Identifier[] = []): number {
  return catalog.transaction(() => {
    const id = catalog.tracks.insert(track);
    const { artist, title } = track;
    catalog.names.add(id, matchKeys(artist, title), matchName(artist, title));
    for (const identifier of identifiers) catalog.identifiers.add(identifier, id);
    return id;
  });
}

/** Gives a known track other names. One transaction. */
export function renameTrack(catalog: CatalogStore, id: number, track: NewTrack): void {
  catalog.transaction(() => {
    const old = catalog.tracks.get(id);
    if (!old) throw new Error(`no track ${id}`);
    catalog.tracks.update({ ...track, id });
    if (old.artist === track.artist && old.title === track.title) return;
    catalog.names.remove(id, matchKeys(old.artist, old.title));
    catalog.names.add(id, matchKeys(track.artist, track.title), matchName(track.artist, track.title));
  });
}
