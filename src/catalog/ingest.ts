import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { EngineRequest, Outcome } from '../engine/task.js';
import type { CatalogStore } from '../store/catalog/catalog.js';
import { addTrack, renameTrack } from './add-track.js';
import { storeAnalysis, trackStages } from './analysed.js';
import { readTags, type Tags } from './tags.js';

export type Ingested =
  | { path: string; outcome: 'analysed' | 'unchanged' | 'same audio' }
  | { path: string; outcome: 'failed'; code: string; message: string };

export interface IngestLimits {
  minDurationS: number;
  maxDurationS: number;
}

/** Analyses a file by its path; the pool of this process, usually. */
export type FileAnalyzer = (path: string, request: EngineRequest) => Promise<Outcome>;

/**
 * Brings one audio file into the catalogue: its tags, the identifiers in them, and what the engine hears. Each file is one
 * transaction, so that whatever ends the run leaves whole files behind, and the next run goes on with the others: a file
 * with the size and time it had is not opened again, also when it had failed.
 */
export async function ingestFile(
  catalog: CatalogStore,
  analyze: FileAnalyzer,
  limits: IngestLimits,
  relativePath: string,
): Promise<Ingested> {
  const path = resolve(relativePath);
  try {
    const { size: bytes, mtimeMs } = await stat(path);
    const file = { path, bytes, modifiedMs: Math.round(mtimeMs), errorCode: null, errorMessage: null };
    const known = catalog.files.get(path);
    if (known?.bytes === bytes && known.modifiedMs === file.modifiedMs) {
      return known.errorCode === null
        ? { path, outcome: 'unchanged' }
        : { path, outcome: 'failed', code: known.errorCode, message: known.errorMessage ?? '' };
    }
    const [sha256, tags] = await Promise.all([hashOf(path), readTags(path)]);
    const twin = catalog.files.withHash(sha256)?.track;
    if (twin !== undefined && twin !== null && catalog.features.get(twin)) {
      catalog.files.put({ ...file, sha256, track: twin });
      return { path, outcome: 'same audio' };
    }
    const analysis = await analyze(path, { analyses: trackStages, ...limits });
    if (!analysis.ok) {
      const { code, message } = analysis.error;
      catalog.files.put({ ...file, sha256, track: null, errorCode: code, errorMessage: message });
      return { path, outcome: 'failed', code, message };
    }
    catalog.transaction(() => {
      const track = trackOf(catalog, tags, known?.track ?? undefined);
      storeAnalysis(catalog, track, analysis.output);
      catalog.files.put({ ...file, sha256, track });
    });
    return { path, outcome: 'analysed' };
  } catch (error) {
    // Not written down: what the disk or the machine refused may work the next time.
    const { code = 'internal_error', message } = error as NodeJS.ErrnoException;
    return { path, outcome: 'failed', code, message };
  }
}

/** The track the file had, one with the same MusicBrainz recording, or a new one. */
function trackOf(catalog: CatalogStore, tags: Tags, before: number | undefined): number {
  const { identifiers, ...names } = tags;
  const named = { ...names, durationMs: null, popularity: 0 };
  const mbid = identifiers.find(({ platform }) => platform === 'mbid');
  const same = mbid && catalog.identifiers.tracks(mbid, 1)[0];
  const track = before ?? same;
  if (track === undefined) return addTrack(catalog, named, identifiers);
  if (track === before) {
    const popularity = catalog.tracks.get(track)?.popularity ?? 0;
    renameTrack(catalog, track, { ...named, popularity });
  }
  for (const identifier of identifiers) catalog.identifiers.add(identifier, track);
  return track;
}

async function hashOf(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest();
}
