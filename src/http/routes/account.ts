import { Type } from '@sinclair/typebox';
import { Nullable } from '../../analyses/schema.js';
import { ApiError } from '../../errors.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import type { Services } from '../services.js';

const dayMs = 86_400_000;
const maxDays = 366;

const Day = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: `${description}, YYYY-MM-DD, UTC` }),
  );
const Count = Type.Integer({ minimum: 0 });

const AccountSchema = Type.Object({
  account_id: Type.String(),
  name: Type.String(),
  balance: Type.Integer({ minimum: 0, description: 'Credits left' }),
  limits: Type.Object({
    requests_per_minute: Count,
    concurrency: Count,
    max_upload_bytes: Count,
    max_duration_s: Count,
  }),
  key: Type.Object({
    mode: Type.Union([Type.Literal('live'), Type.Literal('test')]),
    name: Type.String(),
    scopes: Nullable(Type.Array(Type.String())),
    expires_at: Nullable(Type.String({ format: 'date-time' })),
  }),
});

const UsageSchema = Type.Object({
  from: Type.String(),
  to: Type.String(),
  total_credits: Type.Integer(),
  data: Type.Array(
    Type.Object({
      day: Type.String(),
      endpoint: Type.String(),
      requests: Count,
      cache_hits: Count,
      errors: Count,
      credits: Type.Integer(),
    }),
  ),
});

/** Balance, limits and use of the account a key belongs to. */
export function accountEndpoints(services: Services): Endpoint[] {
  const { config, credits } = services;
  const common = {
    tag: 'Account',
    access: 'account',
    price: 0,
    meta: 'sync',
    rateClass: 'standard',
    writes: false,
  } as const;
  return [
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/account',
      operationId: 'get_account',
      summary: 'Account',
      description: 'Balance and limits of the account, and what the key may do.',
      success: { status: 200, description: 'The account', schema: AccountSchema },
      errors: [],
      mock: () => ({
        account_id: 'acct_test',
        name: 'test',
        balance: 10_000,
        limits: {
          requests_per_minute: 10,
          concurrency: 8,
          max_upload_bytes: 209_715_200,
          max_duration_s: 1800,
        },
        key: { mode: 'test', name: 'test', scopes: null, expires_at: null },
      }),
      handle(_input, context) {
        const { account, key } = context.caller();
        return {
          result: {
            account_id: account.id,
            name: account.name,
            balance: credits.balance(account.id),
            limits: {
              requests_per_minute: account.requestsPerMinute ?? config.requestsPerMinute,
              concurrency: account.concurrency ?? config.concurrency,
              max_upload_bytes: config.maxUploadMib * 2 ** 20,
              max_duration_s: config.maxSyncDurationS,
            },
            key: {
              mode: key.mode,
              name: key.name,
              scopes: key.scopes,
              expires_at: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
            },
          },
        };
      },
    }),
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/usage',
      operationId: 'get_usage',
      summary: 'Usage',
      description:
        'Requests and credits by day and endpoint; the last 30 days unless said otherwise, a year at most.',
      query: Type.Object({ from: Day('First day'), to: Day('Last day') }),
      success: { status: 200, description: 'Usage', schema: UsageSchema },
      errors: [],
      mock({ query }) {
        const { from, to } = period(query, Date.UTC(2026, 0, 31));
        const row = { day: to, endpoint: 'POST /v1/bpm', requests: 3, cache_hits: 1, errors: 0, credits: 6 };
        return { from, to, total_credits: 6, data: [row] };
      },
      handle({ query }, context) {
        const { from, to } = period(query, Date.now());
        return { result: { from, to, ...usageOf(services, context.caller().account.id, from, to) } };
      },
    }),
  ];
}

function period(query: Record<string, unknown>, now: number): { from: string; to: string } {
  const to = (query.to as string | undefined) ?? toDay(now);
  const end = parseDay('to', to);
  const from = (query.from as string | undefined) ?? toDay(end - 29 * dayMs);
  const days = (end - parseDay('from', from)) / dayMs + 1;
  if (days < 1 || days > maxDays) {
    throw new ApiError(
      'invalid_parameter',
      `The days from ${from} to ${to} are ${days}: expected 1 to ${maxDays}.`,
      {
        param: 'from',
      },
    );
  }
  return { from, to };
}

function parseDay(param: string, day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!Number.isNaN(time) && toDay(time) === day) return time;
  throw new ApiError('invalid_parameter', `There is no day ${day}: expected YYYY-MM-DD.`, { param });
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Requests come from the counts, credits from the ledger, which is exact. */
function usageOf({ store, usage }: Services, accountId: string, from: string, to: string) {
  usage.flush();
  const rows = new Map(
    store.usage
      .list(accountId, from, to)
      .map(({ day, endpoint, requests, cacheHits, errors }) => [
        `${day} ${endpoint}`,
        { day, endpoint, requests, cache_hits: cacheHits, errors, credits: 0 },
      ]),
  );
  const spent = store.ledger.creditsByDay(accountId, Date.parse(from), Date.parse(to) + dayMs);
  for (const { day, endpoint, credits } of spent) {
    const row = rows.get(`${day} ${endpoint}`);
    if (row) row.credits = credits;
    else rows.set(`${day} ${endpoint}`, { day, endpoint, requests: 0, cache_hits: 0, errors: 0, credits });
  }
  const data = [...rows.values()].sort((a, b) => (a.day + a.endpoint < b.day + b.endpoint ? -1 : 1));
  return { total_credits: data.reduce((sum, { credits }) => sum + credits, 0), data };
}
