import { Type } from '@sinclair/typebox';
import { Nullable } from '../../analyses/schema.js';
import { compatFeatures, toCompatFeatures } from '../../catalog/compat.js';
import type { Found } from '../../catalog/find.js';
import { featuresRecord, toFeaturesRecord } from '../../catalog/records.js';
import { ApiError } from '../../errors.js';
import type { Features } from '../../store/catalog/features.js';
import { defineEndpoint, type Endpoint, type EndpointAnswer, type RequestContext } from '../endpoint.js';
import type { Services } from '../services.js';
import { askerOf, lookupCommon, lookupErrors, nothingKnown } from './catalog-common.js';
import {
  batchBody,
  findOrUndefined,
  idParams,
  namesQuery,
  type Wanted,
  wantedById,
  wantedByBody,
  wantedByIds,
  wantedByQuery,
} from './catalog-input.js';
import { mockCompat, mockFeatures } from './catalog-mock.js';

const format = Type.Optional(
  Type.Literal('compat', {
    description:
      'The third party’s schema, whole, and its shape of errors. What is not known is null there too (`key` −1), never a made-up number',
  }),
);
const listOf = (item: typeof featuresRecord | typeof compatFeatures) =>
  Type.Object({
    audio_features: Type.Array(Nullable(item), { description: 'In the order asked for; null: not known' }),
  });

const isCompat = (query: Record<string, unknown>) => query.format === 'compat';

const description =
  'Answers from the catalogue; a hit is free. A track that is known and has its audio on this machine, but was not analysed yet, is analysed now, and that is billed. An unknown track is 404 and free. Scores without an analysis so far (energy and the like) are null with the reason `not_analysed`.';

/** Audio features, by song and artist, by identifier, and of many tracks at once. */
export function audioFeaturesEndpoints(services: Services): Endpoint[] {
  const common = { ...lookupCommon, price: services.lookups.price, errors: lookupErrors };
  return [
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/audio-features',
      operationId: 'find_audio_features',
      summary: 'Audio features by song and artist',
      description: `${description} With \`ids\` up to 100 tracks at once, \`null\` where nothing is known; with \`format=compat\` that list carries no \`_meta\`.`,
      query: Type.Object({
        ...namesQuery,
        ids: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'Identifiers, separated by commas; instead of song and artist',
          }),
        ),
        format,
      }),
      isCompat,
      isBare: (query) => isCompat(query) && query.ids !== undefined,
      success: {
        status: 200,
        description: 'The features',
        schema: Type.Union([featuresRecord, compatFeatures, listOf(featuresRecord)]),
        bareSchema: listOf(compatFeatures),
      },
      mock({ query }, context) {
        const show = mocker(services, isCompat(query), context);
        if (query.ids === undefined) return show(wantedByQuery(query));
        return { audio_features: wantedByIds(query.ids as string).map(show) };
      },
      handle({ query }, context) {
        const endpoint = 'GET /v1/audio-features';
        if (query.ids === undefined)
          return one(services, wantedByQuery(query), isCompat(query), endpoint, context);
        if (query.song !== undefined || query.artist !== undefined) {
          throw new ApiError('invalid_parameter', '"ids" cannot be sent together with "song" and "artist".', {
            param: 'ids',
          });
        }
        return many(services, wantedByIds(query.ids as string), isCompat(query), endpoint, context);
      },
    }),
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/audio-features/{id}',
      operationId: 'get_audio_features',
      summary: 'Audio features by identifier',
      description,
      params: idParams,
      query: Type.Object({ format }),
      isCompat,
      success: {
        status: 200,
        description: 'The features',
        schema: Type.Union([featuresRecord, compatFeatures]),
      },
      mock: ({ params, query }, context) =>
        mocker(services, isCompat(query), context)(wantedById(params.id!)),
      handle: ({ params, query }, context) =>
        one(services, wantedById(params.id!), isCompat(query), 'GET /v1/audio-features/{id}', context),
    }),
    defineEndpoint({
      ...common,
      method: 'POST',
      path: '/v1/audio-features',
      operationId: 'list_audio_features',
      summary: 'Audio features of many tracks',
      description: `${description} Up to 100 tracks, by identifiers or by songs and artists; \`null\` where nothing is known. Billed for each track that had to be analysed.`,
      body: { kind: 'json', schema: batchBody },
      success: { status: 200, description: 'The features', schema: listOf(featuresRecord) },
      mock: ({ body }) => ({ audio_features: wantedByBody(body).map(mockFeatures) }),
      handle: ({ body }, context) =>
        many(services, wantedByBody(body), false, 'POST /v1/audio-features', context),
    }),
  ];
}

function mocker(services: Services, compat: boolean, context: RequestContext): (wanted: Wanted) => object {
  return compat ? (wanted) => mockCompat(wanted, baseOf(services, context)) : mockFeatures;
}

async function one(
  services: Services,
  wanted: Wanted,
  compat: boolean,
  endpoint: string,
  context: RequestContext,
): Promise<EndpointAnswer> {
  const found = wanted.find(services.finder);
  const { values, ...billed } = await services.lookups.features([found.track.id], askerOf(context, endpoint));
  if (!values[0]) throw nothingKnown(found, 'features');
  return { result: shower(services, compat, context)(found, values[0], wanted.byName), ...billed };
}

async function many(
  services: Services,
  list: Wanted[],
  compat: boolean,
  endpoint: string,
  context: RequestContext,
): Promise<EndpointAnswer> {
  const found = list.map((wanted) => findOrUndefined(wanted, services.finder));
  const tracks = found.map((each) => each?.track.id);
  const { values, ...billed } = await services.lookups.features(tracks, askerOf(context, endpoint));
  const show = shower(services, compat, context);
  const audio_features = found.map((each, i) => {
    const features = values[i];
    return each && features ? show(each, features, list[i]!.byName) : null;
  });
  return { result: { audio_features }, ...billed };
}

function shower(services: Services, compat: boolean, context: RequestContext) {
  const { tracks, identifiers } = services.store.catalog;
  return (found: Found, features: Features, byName: boolean): object => {
    const ids = identifiers.ofTrack(found.track.id);
    // Read again: an analysis made just now has measured the length.
    const track = tracks.get(found.track.id) ?? found.track;
    if (compat) return toCompatFeatures(track, features, ids, baseOf(services, context));
    const isrc = ids.find(({ platform }) => platform === 'isrc')?.value ?? null;
    return toFeaturesRecord({ ...found, track }, features, isrc, byName);
  };
}

/** The service's address as the caller sees it. */
function baseOf({ config }: Services, { reply }: RequestContext): string {
  return config.baseUrl || `${reply.request.protocol}://${reply.request.host}`;
}
