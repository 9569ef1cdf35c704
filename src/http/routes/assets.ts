import { Type } from '@sinclair/typebox';
import { SeededRandom } from '../../analyses/seeded-random.js';
import { ApiError } from '../../errors.js';
import type { Asset } from '../../store/assets.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { idFromCursor, pageOf, pageQuery, toPage } from '../pagination.js';
import type { Services } from '../services.js';

const AssetId = Type.String({ pattern: '^asset_[0-9A-HJKMNP-TV-Z]{26}$' });
const Time = Type.String({ format: 'date-time' });
const AssetSchema = Type.Object({
  asset_id: AssetId,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  bytes: Type.Integer({ minimum: 1 }),
  created_at: Time,
  expires_at: Time,
});

/** Audio uploaded once and analysed often. */
export function assetEndpoints(services: Services): Endpoint[] {
  const { assets } = services;
  const params = Type.Object({ id: Type.String({ description: 'Id of the asset' }) });
  const common = { tag: 'Assets', access: 'analyze', price: 0, meta: 'sync' } as const;
  return [
    defineEndpoint({
      ...common,
      method: 'POST',
      path: '/v1/assets/upload',
      operationId: 'upload_asset',
      summary: 'Upload an asset',
      description: `Keeps audio for ${services.config.assetTtlH} hours, to be named as \`asset_id\` by any upload endpoint. The same bytes give the same asset, kept for as long again.`,
      rateClass: 'upload',
      writes: true,
      body: { kind: 'audio', options: Type.Object({}) },
      success: { status: 201, description: 'The asset', schema: AssetSchema },
      errors: [],
      mock: ({ payload, assetId }) => mockAsset(payload?.sha256.toString('hex') ?? assetId ?? ''),
      async handle({ payload }, context) {
        if (!payload)
          throw new ApiError('missing_parameter', 'The request has no audio.', { param: 'audio' });
        return { result: show(await assets.keep(context.caller().account.id, payload)) };
      },
    }),
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/assets',
      operationId: 'list_assets',
      summary: 'List assets',
      description: 'The assets there are, newest first.',
      rateClass: 'standard',
      writes: false,
      query: Type.Object(pageQuery),
      success: { status: 200, description: 'A page of assets', schema: pageOf(AssetSchema) },
      errors: [],
      mock: () => ({ data: [mockAsset('list')], next_cursor: null }),
      handle({ query }, context) {
        const limit = query.limit as number;
        const before = idFromCursor(query.cursor as string | undefined, 'asset_');
        const found = assets.list(context.caller().account.id, before, limit + 1);
        return { result: toPage(found, limit, ({ id }) => id, show) };
      },
    }),
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/assets/{id}',
      operationId: 'get_asset',
      summary: 'Get an asset',
      description: 'What is known of an asset.',
      rateClass: 'standard',
      writes: false,
      params,
      success: { status: 200, description: 'The asset', schema: AssetSchema },
      errors: ['asset_not_found'],
      mock: (input) => mockAsset(input.params.id ?? ''),
      handle: (input, context) => ({
        result: show(assets.get(context.caller().account.id, input.params.id ?? '')),
      }),
    }),
    defineEndpoint({
      ...common,
      method: 'DELETE',
      path: '/v1/assets/{id}',
      operationId: 'delete_asset',
      summary: 'Delete an asset',
      description: 'Removes an asset and its bytes at once.',
      rateClass: 'standard',
      writes: true,
      params,
      success: {
        status: 200,
        description: 'It is gone',
        schema: Type.Object({ asset_id: Type.String(), deleted: Type.Literal(true) }),
      },
      errors: ['asset_not_found'],
      mock: (input) => ({ asset_id: input.params.id, deleted: true }),
      handle(input, context) {
        const id = input.params.id ?? '';
        assets.remove(context.caller().account.id, id);
        return { result: { asset_id: id, deleted: true } };
      },
    }),
  ];
}

function show({ id, sha256, bytes, createdAt, expiresAt }: Asset) {
  return {
    asset_id: id,
    sha256: sha256.toString('hex'),
    bytes,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  };
}

function mockAsset(seed: string) {
  const random = new SeededRandom(`asset:${seed}`);
  const digits = (count: number, alphabet: string) =>
    Array.from({ length: count }, () => alphabet.charAt(random.integer(0, alphabet.length - 1))).join('');
  return {
    asset_id: `asset_0${digits(25, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')}`,
    sha256: digits(64, '0123456789abcdef'),
    bytes: random.integer(1000, 1_000_000),
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-02T00:00:00.000Z',
  };
}
