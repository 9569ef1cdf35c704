import type { AnalysisDefinition } from '../analyses/definition.js';
import { beatgrid } from '../analyses/beatgrid.js';
import { pitchClasses } from '../analyses/key.js';
import { keyBpm } from '../analyses/key-bpm.js';
import { lufs } from '../analyses/lufs.js';
import type { AnalysisOutput, StageName } from '../native/addon.js';
import type { CatalogStore } from '../store/catalog/catalog.js';
import type { Features } from '../store/catalog/features.js';

/** Analyses whose results are kept whole, to be looked up. */
export const keptAnalyses = [keyBpm, beatgrid, lufs] as unknown as readonly AnalysisDefinition[];

/** What the engine has to compute for a track of the catalogue. */
export const trackStages: StageName[] = [...new Set(keptAnalyses.flatMap(({ stages }) => stages))];

/** The name of our own analysis among the sources of features. */
export const analysisSource = 'analysis';

/** Writes down what the engine found of a track's audio. One transaction. */
export function storeAnalysis(catalog: CatalogStore, track: number, output: AnalysisOutput): void {
  const loudness = lufs.fromOutput(output);
  const features = storedFeatures(track, keyBpm.fromOutput(output), loudness.integrated_lufs);
  const silent = loudness.reasons?.integrated_lufs;
  catalog.transaction(() => {
    const known = catalog.tracks.get(track);
    if (!known) throw new Error(`no track ${track}`);
    catalog.tracks.update({ ...known, durationMs: Math.round(output.audio.duration_s * 1000) });
    for (const analysis of keptAnalyses) {
      catalog.results.put(track, analysis, JSON.stringify(analysis.fromOutput(output)));
    }
    catalog.features.put({
      ...features,
      reasons: { ...features.reasons, ...(silent !== undefined && { loudness_lufs: silent }) },
    });
  });
}

/** Features out of our own results. The scores have no analysis yet. */
export function storedFeatures(
  track: number,
  found: ReturnType<typeof keyBpm.fromOutput>,
  loudnessLufs: number | null,
): Features {
  return {
    track,
    source: analysisSource,
    tempo: found.tempo,
    tempoConfidence: found.tempo_confidence,
    timeSignature: found.time_signature,
    key: found.key === null ? null : pitchClasses.indexOf(found.key),
    isMajor: found.mode === null ? null : found.mode === 'major',
    keyConfidence: found.key_confidence,
    loudnessLufs,
    energy: null,
    danceability: null,
    happiness: null,
    acousticness: null,
    instrumentalness: null,
    speechiness: null,
    liveness: null,
    reasons: found.reasons ?? {},
  };
}
