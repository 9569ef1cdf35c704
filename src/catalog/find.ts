import { ApiError } from '../errors.js';
import type { CatalogStore } from '../store/catalog/catalog.js';
import type { Track } from '../store/catalog/tracks.js';
import { formatIdentifier, type Identifier } from './identifiers/identifier.js';
import { ownId, ownRow } from './identifiers/own.js';
import { type Candidate, Matcher } from './match.js';

export interface Found {
  track: Track;
  score: number;
  /** All that were meant perhaps, the one found first; one alone when there is no doubt. */
  candidates: Candidate[];
}

const maxCandidates = 10;

/** Which track is meant. Throws ApiError track_not_found. */
export class TrackFinder {
  readonly #catalog: CatalogStore;
  readonly #matcher: Matcher;

  constructor(catalog: CatalogStore) {
    this.#catalog = catalog;
    this.#matcher = new Matcher(catalog);
  }

  /** Of several recordings with one ISRC the best known, with the others as candidates. */
  byIdentifier(identifier: Identifier): Found {
    const { platform, value } = identifier;
    const rows = platform === 'trk' ? [ownRow(value)] : this.#catalog.identifiers.tracks(identifier, 100);
    const candidates = rows
      .flatMap((row) => this.#catalog.tracks.get(row) ?? [])
      .sort((a, b) => b.popularity - a.popularity || a.id - b.id)
      .map((track) => ({ track, score: 1 }));
    return best(
      candidates,
      () =>
        new ApiError(
          'track_not_found',
          `The catalogue knows no track ${formatIdentifier(identifier)}. Send the audio itself to POST /v1/key-bpm, or ask by song and artist.`,
          { param: 'id' },
        ),
    );
  }

  byNames(song: string, artist: string): Found {
    const { candidates, otherVersions } = this.#matcher.find(song, artist);
    return best(candidates, () => {
      const known = otherVersions.slice(0, maxCandidates);
      const hint =
        known.length > 0
          ? 'Other versions of it are known; ask for one of them by its whole title or its track id.'
          : 'Check how both are written, or send an identifier.';
      return new ApiError(
        'track_not_found',
        `The catalogue knows no such recording by that artist. ${hint}`,
        {
          param: 'song',
          ...(known.length > 0 && { details: { other_versions: known.map(candidateFields) } }),
        },
      );
    });
  }
}

function best(candidates: Candidate[], notFound: () => ApiError): Found {
  const [first] = candidates;
  if (!first) throw notFound();
  return { ...first, candidates: candidates.slice(0, maxCandidates) };
}

export function trackId(row: number): string {
  return formatIdentifier({ platform: 'trk', value: ownId(row) });
}

export function candidateFields({ track, score }: Candidate) {
  return { track_id: trackId(track.id), artist: track.artist, title: track.title, score };
}
