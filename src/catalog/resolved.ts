import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../analyses/schema.js';
import type { Features } from '../store/catalog/features.js';
import { type Found, trackId } from './find.js';
import { formatIdentifier, type Identifier, identifierUrl } from './identifiers/identifier.js';
import { platformNames } from './identifiers/platform.js';
import { featuresRecord, matchFields, tempoFields, tonalFields } from './records.js';

const { track_id, artist, title, duration_s, isrc, tempo, key, mode, camelot, energy, danceability, match } =
  featuresRecord.properties;

const PlatformIds = Type.Array(
  Type.Object({
    id: Type.String({ description: 'With its prefix, as every lookup takes it' }),
    value: Type.String({ description: 'As the platform itself writes it' }),
    url: Nullable(Type.String({ description: 'Its public page' })),
  }),
);

export const resolvedRecord = Type.Object({
  track_id,
  artist,
  title,
  duration_s,
  isrc,
  tempo,
  key,
  mode,
  camelot,
  energy,
  danceability,
  platforms: Type.Record(Type.String(), PlatformIds, {
    description: `What the track is called by each platform that is known to have it: ${platformNames.filter((name) => name !== 'trk').join(', ')}`,
  }),
  match,
});
export type ResolvedRecord = Static<typeof resolvedRecord>;

/** `features`: undefined while nothing is known of its sound. */
export function toResolvedRecord(
  found: Found,
  features: Features | undefined,
  identifiers: Identifier[],
  byName: boolean,
): ResolvedRecord {
  const { track } = found;
  const platforms: ResolvedRecord['platforms'] = {};
  for (const identifier of identifiers) {
    const { platform, value } = identifier;
    const entry = { id: formatIdentifier(identifier), value, url: identifierUrl(identifier) ?? null };
    (platforms[platform] ??= []).push(entry);
  }
  const tonal = tonalFields(features ?? { key: null, isMajor: null });
  return {
    track_id: trackId(track.id),
    artist: track.artist,
    title: track.title,
    duration_s: track.durationMs === null ? null : track.durationMs / 1000,
    isrc: platforms.isrc?.[0]?.value ?? null,
    tempo: tempoFields({ tempo: features?.tempo ?? null }).tempo,
    key: tonal.key,
    mode: tonal.mode,
    camelot: tonal.camelot,
    energy: features?.energy ?? null,
    danceability: features?.danceability ?? null,
    platforms,
    ...matchFields(found, byName),
  };
}
