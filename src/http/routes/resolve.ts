import { Type } from '@sinclair/typebox';
import { Nullable } from '../../analyses/schema.js';
import type { Found } from '../../catalog/find.js';
import { resolvedRecord, toResolvedRecord } from '../../catalog/resolved.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import type { Services } from '../services.js';
import { lookupCommon } from './catalog-common.js';
import {
  batchBody,
  findOrUndefined,
  idParams,
  namesQuery,
  type Wanted,
  wantedById,
  wantedByBody,
  wantedByQuery,
} from './catalog-input.js';
import { mockResolved } from './catalog-mock.js';

const description =
  'What one track is called everywhere else: the identifiers and public pages of every platform that the catalogue knows it by. Short links, which only the network can follow, are refused. Never computes, so that it is always free.';

/** Any identifier into all others. */
export function resolveEndpoints(services: Services): Endpoint[] {
  const common = { ...lookupCommon, price: 0 };
  const show = (found: Found, { byName }: Wanted) => {
    const { features, identifiers } = services.store.catalog;
    const { id } = found.track;
    return toResolvedRecord(found, features.get(id), identifiers.ofTrack(id), byName);
  };
  const one = (wanted: Wanted) => ({
    result: show(wanted.find(services.finder), wanted),
    cache: 'hit' as const,
  });
  return [
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/resolve',
      operationId: 'resolve_by_names',
      summary: 'A track’s identifiers by song and artist',
      description,
      query: Type.Object(namesQuery),
      success: { status: 200, description: 'The track', schema: resolvedRecord },
      errors: ['track_not_found'],
      mock: ({ query }) => mockResolved(wantedByQuery(query)),
      handle: ({ query }) => one(wantedByQuery(query)),
    }),
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/resolve/{id}',
      operationId: 'resolve',
      summary: 'A track’s identifiers by any one of them',
      description,
      params: idParams,
      success: { status: 200, description: 'The track', schema: resolvedRecord },
      errors: ['track_not_found', 'ambiguous_identifier'],
      mock: ({ params }) => mockResolved(wantedById(params.id!)),
      handle: ({ params }) => one(wantedById(params.id!)),
    }),
    defineEndpoint({
      ...common,
      method: 'POST',
      path: '/v1/resolve',
      operationId: 'resolve_many',
      summary: 'Identifiers of many tracks',
      description: `${description} Up to 100 tracks, by identifiers or by songs and artists.`,
      body: { kind: 'json', schema: batchBody },
      success: {
        status: 200,
        description: 'The tracks',
        schema: Type.Object({
          data: Type.Array(Nullable(resolvedRecord), {
            description: 'In the order asked for; null: not known',
          }),
        }),
      },
      errors: ['ambiguous_identifier'],
      mock: ({ body }) => ({ data: wantedByBody(body).map(mockResolved) }),
      handle: ({ body }) => {
        const data = wantedByBody(body).map((wanted) => {
          const found = findOrUndefined(wanted, services.finder);
          return found ? show(found, wanted) : null;
        });
        return { result: { data }, cache: 'hit' };
      },
    }),
  ];
}
