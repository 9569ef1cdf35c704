import type { TObject, TSchema } from '@sinclair/typebox';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { Scope } from '../accounts/keys.js';
import type { ErrorCode } from '../errors.js';
import type { WrittenFile } from '../jobs/storage.js';
import type { Account } from '../store/accounts.js';
import type { ApiKey } from '../store/keys.js';
import type { Payload } from './payload.js';

/**
 * A route, declared once: validation, types, OpenAPI entry, price, scope, rate class, what it may fail with and what a
 * test key gets. `register.ts` makes a Fastify route of it; the registry test fails when a part is missing.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  /** In OpenAPI's form: `/v1/assets/{id}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** What a key needs; `public` needs no key. */
  access: Scope | 'public';
  /** `standard` and `upload` count against the account's requests a minute, `upload` also against its concurrency. */
  rateClass: 'unlimited' | 'standard' | 'upload' | 'poll';
  /** Credits of a request that is not a hit. */
  price: number;
  /** Refused in READ_ONLY mode. */
  writes: boolean;
  params?: TObject;
  query?: TObject;
  /** For the description alone; the handler reads them. */
  headers?: TObject;
  body?: EndpointBody;
  success: {
    status: 200 | 201 | 202 | 204;
    description: string;
    schema?: TSchema;
    contentType?: string;
    /** Of the answers that `isBare` is true of. */
    bareSchema?: TSchema;
  };
  /**
   * `sync`: the `_meta` of synchronous answers is added to the result; `job`: with what was reserved. `none`: it is sent
   * as it is.
   */
  meta: 'sync' | 'job' | 'none';
  /** Beyond those that every endpoint of its kind can give. */
  errors: ErrorCode[];
  /** Whether a request wants the third party's schema, and so its shape of errors. */
  isCompat?(query: Record<string, unknown>): boolean;
  /** Whether a request's answer goes without `_meta`, for the sake of strict clients. */
  isBare?(query: Record<string, unknown>): boolean;
  /**
   * What is checked, or taken until the answer is sent, before a byte of an upload is read; not for test keys. Returns
   * how to give it back.
   */
  enter?(context: RequestContext): Promise<() => void>;
  /**
   * The answer to a test key; nothing but the input decides it, and nothing is touched. Absent on public endpoints.
   * Undefined when it has answered by itself.
   */
  mock?(input: EndpointInput, context: RequestContext): object | undefined | Promise<object>;
  handle(input: EndpointInput, context: RequestContext): EndpointAnswer | Promise<EndpointAnswer>;
}

/**
 * `audio`: an upload in any of the three forms, with options in query, form fields or JSON; `staged` goes to the disk
 * instead of into memory.
 */
export type EndpointBody =
  { kind: 'audio'; options: TObject; staged?: boolean } | { kind: 'json'; schema: TObject };

export interface EndpointInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** Of a JSON body. */
  body: unknown;
  /** Of an upload: from query and body, complete with defaults. */
  options: Record<string, unknown>;
  /** Of an upload. A test key's is absent when it named an asset. */
  payload: Payload | undefined;
  /** Of an upload that is staged, instead of `payload`; a test key's is not. */
  upload: WrittenFile | undefined;
  /** Of an upload that named an asset. */
  assetId: string | undefined;
}

export interface Caller {
  key: ApiKey;
  account: Account;
}

export interface RequestContext {
  traceId: string;
  log: FastifyBaseLogger;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  /** For handlers that answer by themselves (streams, files); they return `{handled: true}`. */
  reply: FastifyReply;
  /** Throws on public endpoints. */
  caller(): Caller;
}

export type EndpointAnswer = {
  cache?: 'hit' | 'miss';
  creditsUsed?: number;
  /** Of a job that was accepted. */
  creditsReserved?: number;
  status?: number;
  headers?: Record<string, string>;
} & (
  | { result: object }
  /** An object as JSON text, sent byte for byte (with `_meta` added at its end). */
  | { json: string }
  | { handled: true }
);

export function defineEndpoint(endpoint: Endpoint): Endpoint {
  return endpoint;
}
