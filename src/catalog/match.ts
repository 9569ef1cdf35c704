import type { CatalogStore } from '../store/catalog/catalog.js';
import type { Track } from '../store/catalog/tracks.js';
import { artistParts, matchKeys, matchName, type TitleParts, titleParts } from './normalise.js';
import { creditSimilarity, titleSimilarity } from './similarity.js';

export interface Candidate {
  track: Track;
  /** 1: the same names; below, how alike they are. */
  score: number;
}

export interface Matches {
  /** Recordings that the names can mean, best first; of equally good ones the best known first. */
  candidates: Candidate[];
  /** Other recordings of the song (live, remixed, …), which never answer for it. */
  otherVersions: Candidate[];
}

interface Names {
  artists: string[];
  title: TitleParts;
}

/** Below this, names are more likely those of another track. */
const acceptedScore = 0.85;
/** Neither name may be further off than this, however well the other fits. */
const acceptedPart = 0.75;
/** What is left of a score when the same recording comes in another dress (remaster, radio edit). */
const otherEdition = 0.97;
/** What is left when one side says "live" or "remix" and does not say which. */
const unnamedVersion = 0.95;
const maxFound = 200;

/** Finds tracks by song and artist: exactly by the normalised names, and if that finds none, by names like them. */
export class Matcher {
  readonly #catalog: CatalogStore;

  constructor(catalog: CatalogStore) {
    this.#catalog = catalog;
  }

  find(song: string, artist: string): Matches {
    const names: Names = { artists: artistParts(artist), title: titleParts(song) };
    const exact = matchKeys(artist, song).flatMap((key) => this.#catalog.names.byKey(key, maxFound));
    let matches = this.#judge(names, exact);
    if (matches.candidates.length > 0) return matches;
    for (const groups of probes(matchName(artist, song))) {
      const found = this.#judge(names, [...exact, ...this.#catalog.names.containing(groups, maxFound)]);
      if (found.candidates.length > 0) return found;
      if (found.otherVersions.length > 0) matches = found;
    }
    return matches;
  }

  #judge(names: Names, ids: number[]): Matches {
    const matches: Matches = { candidates: [], otherVersions: [] };
    for (const id of new Set(ids)) {
      const track = this.#catalog.tracks.get(id);
      if (!track) continue;
      const { score, sameVersion } = judge(names, track);
      if (score < acceptedScore) continue;
      matches[sameVersion ? 'candidates' : 'otherVersions'].push({ track, score });
    }
    matches.candidates.sort(bestFirst);
    matches.otherVersions.sort(bestFirst);
    return matches;
  }
}

function bestFirst(a: Candidate, b: Candidate): number {
  return b.score - a.score || b.track.popularity - a.track.popularity || a.track.id - b.track.id;
}

function judge(names: Names, track: Track): { score: number; sameVersion: boolean } {
  const title = titleParts(track.title);
  const bySong = titleSimilarity(names.title.base, title.base);
  const byArtist = creditSimilarity(names.artists, artistParts(track.artist));
  if (Math.min(bySong, byArtist) < acceptedPart) return { score: 0, sameVersion: false };
  const version = versionLikeness(names.title.versions, title.versions);
  const edition = names.title.editions.join() === title.editions.join() ? 1 : otherEdition;
  const score = ((bySong + byArtist) / 2) * edition * (version || 1);
  return { score: Math.round(score * 1000) / 1000, sameVersion: version > 0 };
}

const kindOf = (version: string) => /^(?:remix|live)(?= |$)/.exec(version)?.[0] ?? version;

/** 0 for different recordings. "Live" may mean "live wembley", but "live paris" may not. */
function versionLikeness(a: string[], b: string[]): number {
  if (a.join() === b.join()) return 1;
  if (a.map(kindOf).join() !== b.map(kindOf).join()) return 0;
  const compatible = a.every((version, i) => {
    const other = b[i]!;
    return version === other || version === kindOf(version) || other === kindOf(other);
  });
  return compatible ? unnamedVersion : 0;
}

/** The shortest string that has a trigram. */
const trigram = 3;

/**
 * What to look for so that misspelt names are found too, the strictest first: every word, long ones by either half, of
 * which a slip of the pen spoils one; then all words but one. Each is answered by intersecting the lists of its rarest
 * trigrams, so that common words cost little.
 */
function probes(name: string): string[][][] {
  const groups = [...new Set(name.split(' '))].filter((word) => word.length >= trigram).map(halves);
  if (groups.length === 0) return [];
  const without = groups.map((_, i) => groups.filter((_group, j) => j !== i));
  return [groups, ...(groups.length > 1 ? without : [])];
}

function halves(word: string): string[] {
  const half = Math.floor(word.length / 2);
  return half < trigram ? [word] : [word.slice(0, half), word.slice(-half)];
}
