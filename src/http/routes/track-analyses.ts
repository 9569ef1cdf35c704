import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { AnalysisDefinition } from '../../analyses/definition.js';
import { SeededRandom } from '../../analyses/seeded-random.js';
import { keyBpm } from '../../analyses/key-bpm.js';
import { keptAnalyses } from '../../catalog/analysed.js';
import { type Found, trackId } from '../../catalog/find.js';
import { Match, matchFields, tempoFields, tonalFields } from '../../catalog/records.js';
import type { Features } from '../../store/catalog/features.js';
import { defineEndpoint, type Endpoint, type EndpointAnswer, type RequestContext } from '../endpoint.js';
import type { Services } from '../services.js';
import { askerOf, lookupCommon, lookupErrors, nothingKnown } from './catalog-common.js';
import { idParams, namesQuery, type Wanted, wantedById, wantedByQuery } from './catalog-input.js';

/** Results of analyses, looked up by track: the same objects that uploads are answered with. */
export function trackAnalysisEndpoints(services: Services): Endpoint[] {
  return [...keptAnalyses.map((analysis) => byIdentifier(services, analysis)), keyBpmByNames(services)];
}

function common(services: Services, analysis: AnalysisDefinition) {
  const schema = Type.Object({
    track_id: Type.String(),
    artist: Type.String(),
    title: Type.String(),
    ...analysis.result.properties,
    match: Type.Optional(Match),
  });
  return {
    ...lookupCommon,
    method: 'GET',
    price: services.lookups.price,
    errors: lookupErrors,
    success: { status: 200, description: analysis.summary, schema },
  } as const;
}

function byIdentifier(services: Services, analysis: AnalysisDefinition): Endpoint {
  const path = `/v1/${analysis.name}/{id}`;
  return defineEndpoint({
    ...common(services, analysis),
    path,
    operationId: `get_${analysis.name.replaceAll('-', '_')}`,
    summary: `${analysis.summary} of a track`,
    description: `The result of \`POST /v1/${analysis.name}\` from the catalogue. A hit is free; a track whose audio is on this machine is analysed now, and billed.`,
    params: idParams,
    mock: ({ params }) => mockResult(analysis, wantedById(params.id!)),
    handle: ({ params }, context) =>
      lookUp(services, analysis, wantedById(params.id!), `GET ${path}`, context),
  });
}

function keyBpmByNames(services: Services): Endpoint {
  const analysis = keptAnalyses.find(({ name }) => name === keyBpm.name)!;
  return defineEndpoint({
    ...common(services, analysis),
    path: '/v1/key-bpm',
    operationId: 'find_key_bpm',
    summary: 'Key and tempo by song and artist',
    description:
      'Key and tempo from the catalogue. A hit is free; a track whose audio is on this machine is analysed now, and billed.',
    query: Type.Object(namesQuery),
    mock: ({ query }) => mockResult(analysis, wantedByQuery(query)),
    handle: ({ query }, context) =>
      lookUp(services, analysis, wantedByQuery(query), 'GET /v1/key-bpm', context),
  });
}

async function lookUp(
  services: Services,
  analysis: AnalysisDefinition,
  wanted: Wanted,
  endpoint: string,
  context: RequestContext,
): Promise<EndpointAnswer> {
  const found = wanted.find(services.finder);
  const { track } = found;
  const instead = (id: number) => {
    const features = analysis.name === keyBpm.name && services.store.catalog.features.get(id);
    return features ? keyBpmOf(features) : undefined;
  };
  const asker = askerOf(context, endpoint);
  const { values, ...billed } = await services.lookups.result(track.id, analysis, instead, asker);
  const [result] = values;
  if (!result) throw nothingKnown(found, analysis.summary.toLowerCase());
  return { result: { ...names(found), ...result, ...matchFields(found, wanted.byName) }, ...billed };
}

function names({ track }: Found) {
  return { track_id: trackId(track.id), artist: track.artist, title: track.title };
}

/** Key and tempo out of an imported record, which has no alternatives and no tuning. */
function keyBpmOf(features: Features): object {
  const fields = {
    ...tempoFields(features),
    tempo_confidence: features.tempoConfidence,
    tempo_alternatives: [],
    time_signature: features.timeSignature,
    ...tonalFields(features),
    key_confidence: features.keyConfidence,
    key_alternatives: [],
    tuning_hz: null,
  };
  const missing = Object.entries(fields).filter(([, value]) => value === null);
  return { ...fields, reasons: Object.fromEntries(missing.map(([name]) => [name, 'not_in_source'])) };
}

function mockResult(analysis: AnalysisDefinition, { text, byName }: Wanted): object {
  const seed = createHash('sha256')
    .update(JSON.stringify([analysis.name, text]))
    .digest('hex');
  const options = Value.Create(analysis.options) as Record<string, unknown>;
  const [artist, title] = byName ? text.split('\n') : ['Test Artist', 'Test Song'];
  const random = new SeededRandom(seed);
  return {
    track_id: trackId(random.integer(1, 1e9)),
    artist,
    title,
    ...analysis.mock(random, options),
  };
}
