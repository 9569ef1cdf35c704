import { Kind, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { type ErrorCode, errorCodes, errorTable } from '../errors.js';
import { version } from '../version.js';
import type { Endpoint } from './endpoint.js';
import { jobMetaSchema, syncMetaSchema } from './meta.js';

type Json = Record<string, unknown>;

/** Errors that every endpoint of its kind can give, beside those it names. */
export function possibleErrors(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...endpoint.errors, 'bad_request', 'internal_error']);
  if (endpoint.params || endpoint.query || endpoint.body)
    codes.add('invalid_parameter').add('missing_parameter');
  if (endpoint.access !== 'public')
    codes.add('missing_api_key').add('invalid_api_key').add('insufficient_scope');
  if (endpoint.access !== 'public' && endpoint.rateClass !== 'unlimited') codes.add('rate_limit_exceeded');
  if (endpoint.body?.kind === 'audio') codes.add('asset_not_found');
  if (endpoint.body) codes.add('payload_too_large');
  // A content type that is no such thing is refused even where a body is ignored.
  if (endpoint.method !== 'GET') codes.add('unsupported_media_type');
  if (endpoint.rateClass === 'upload') codes.add('concurrency_exceeded').add('service_unavailable');
  if (endpoint.writes) codes.add('read_only');
  return errorCodes.filter((code) => codes.has(code));
}

/** The OpenAPI 3.1 document of the endpoints. */
export function openApiDocument(endpoints: Endpoint[], serverUrl: string, webhooks: Json = {}): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tonearm',
      version,
      description:
        'Audio analysis: tempo, beats, key, loudness. Every answer carries `X-Trace-Id`, which support can look up. Times are seconds, confidences 0–1; what could not be determined is `null` with a reason beside it. Only 2xx answers are billed.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A live key (`svc_live_…`) or a test key (`svc_test_…`)',
        },
      },
      schemas: { Error: errorSchema, Problem: problemSchema, CompatError: compatErrorSchema },
      headers: {
        TraceId: { description: 'Identifies this very call, for support', required: true, schema: traceId },
      },
    },
  };
}

function operation(endpoint: Endpoint): Json {
  const { operationId, tag, summary, description, access, price } = endpoint;
  const isPublic = access === 'public';
  const notes = isPublic
    ? []
    : [`Scope \`${access}\`.`, price > 0 ? `${price} credits, nothing when cached.` : 'Free.'];
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, ...notes].join('\n\n'),
    security: isPublic ? [] : [{ apiKey: [] }],
    parameters: parameters(endpoint),
    ...(endpoint.body && { requestBody: requestBody(endpoint.body) }),
    responses: responses(endpoint),
  };
}

function parameters({ params, query, headers, body }: Endpoint): Json[] {
  const inQuery = body?.kind === 'audio' ? body.options : query;
  return [
    ...parametersIn('path', params),
    ...parametersIn('query', inQuery),
    ...parametersIn('header', headers),
  ];
}

function parametersIn(place: 'path' | 'query' | 'header', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string };
    // What has a default may be left out.
    const required = schema?.required?.includes(name) === true && property.default === undefined;
    return { name, in: place, required, ...(description !== undefined && { description }), schema: rest };
  });
}

function requestBody(body: NonNullable<Endpoint['body']>): Json {
  if (body.kind === 'json')
    return { required: true, content: { 'application/json': { schema: body.schema } } };
  const options = Type.Partial(body.options).properties;
  const binary = Type.Unsafe<string>({
    [Kind]: 'String',
    type: 'string',
    contentMediaType: 'application/octet-stream',
  });
  const asset = Type.String({ description: 'Id of an asset uploaded before' });
  return {
    required: true,
    description:
      'The audio as the raw body, as a form with the file field `audio`, or by the id of an asset. The bytes decide the format: MP3, AAC/M4A, ALAC, FLAC, WAV, AIFF, Ogg Vorbis, Opus, WMA. Options may be sent in the query, as form fields or in the JSON body.',
    content: {
      'audio/*': { schema: binary },
      'application/octet-stream': { schema: binary },
      'multipart/form-data': { schema: Type.Object({ audio: binary, ...options }) },
      'application/json': { schema: Type.Object({ asset_id: asset, ...options }) },
    },
  };
}

function responses(endpoint: Endpoint): Json {
  const headers = { 'X-Trace-Id': { $ref: '#/components/headers/TraceId' } };
  const { status, description, contentType = 'application/json' } = endpoint.success;
  const schema = successSchema(endpoint);
  const all: Json = {
    [status]: { description, headers, ...(schema && { content: { [contentType]: { schema } } }) },
  };
  const possible = possibleErrors(endpoint);
  for (const errorStatus of new Set(possible.map((each) => errorTable[each].status))) {
    const codes = possible.filter((each) => errorTable[each].status === errorStatus);
    all[errorStatus] = {
      description: codes.map((each) => `\`${each}\`: ${errorTable[each].title}`).join('. '),
      headers: {
        ...headers,
        ...(errorStatus === 429 || errorStatus === 503 ? { 'Retry-After': retryAfter } : {}),
      },
      content: {
        'application/json': { schema: jsonErrorSchema(endpoint) },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    };
  }
  return all;
}

/** The body of a 2xx as it is sent, `_meta` and all. */
export function successSchema({ success, meta }: Endpoint): TSchema | undefined {
  const { schema, contentType, bareSchema } = success;
  if (!schema) return contentType === undefined ? undefined : Type.String();
  if (meta === 'none') return schema;
  const carrying = withMeta(schema, meta);
  return bareSchema ? Type.Union([carrying, bareSchema]) : carrying;
}

function withMeta(schema: TSchema, meta: 'sync' | 'job'): TSchema {
  const added = Type.Object({ _meta: meta === 'job' ? jobMetaSchema : syncMetaSchema });
  if (schema[Kind] !== 'Object') return Type.Intersect([schema, added]);
  return Type.Object({ ...(schema as TObject).properties, ...added.properties });
}

function jsonErrorSchema(endpoint: Endpoint): Json {
  const native = { $ref: '#/components/schemas/Error' };
  return endpoint.isCompat ? { anyOf: [native, { $ref: '#/components/schemas/CompatError' }] } : native;
}

const retryAfter = {
  description: 'Seconds to wait before sending the request again',
  schema: Type.Integer({ minimum: 0 }),
};
const traceId = Type.String({ pattern: '^[0-9a-f]{32}$' });
const code = { type: 'string', enum: errorCodes };
const details = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: 'Facts a program can act on' }),
);
const param = Type.Optional(Type.String({ description: 'The parameter, header or field at fault' }));
const message = Type.String({ description: 'What was wrong, what was expected and what to do' });

const errorSchema = Type.Object({
  error: Type.Object({ code: Type.Unsafe<string>(code), message, param, details }),
  _meta: Type.Object({
    trace_id: traceId,
    latency_ms: Type.Integer({ minimum: 0 }),
    credits_used: Type.Literal(0),
    credits_remaining: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'null while it is not known whose request it is',
    }),
  }),
});

const problemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: message,
    code: Type.Unsafe<string>(code),
    param,
    details,
    trace_id: traceId,
  },
  { description: 'RFC 9457, for `Accept: application/problem+json`' },
);

const compatErrorSchema = Type.Object({
  error: Type.Object({ status: Type.Integer(), message: Type.String() }),
});
