import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

// Every setting of the service, once: its environment variable, type, range, default and meaning. The start-up check,
// the `Config` type and the README's table follow from it.
export const settings = {
  host: setting('HOST', Type.String({ default: '127.0.0.1' }), 'Address to listen on'),
  port: setting('PORT', integer(8080, 0, 65535), 'Port to listen on; 0 takes any free one'),
  baseUrl: setting(
    'BASE_URL',
    Type.String({ default: '' }),
    'Public address of the service, as clients see it; by default the listening address',
  ),
  dataDir: setting(
    'DATA_DIR',
    Type.String({ default: './data', minLength: 1 }),
    'Directory of the databases and of stored files',
  ),
  tlsCert: setting(
    'TLS_CERT',
    Type.String({ default: '' }),
    'PEM file of the certificate chain; with TLS_KEY turns on TLS 1.3',
  ),
  tlsKey: setting('TLS_KEY', Type.String({ default: '' }), 'PEM file of the private key'),
  trustProxy: setting(
    'TRUST_PROXY',
    Type.Boolean({ default: false }),
    'Believe `X-Forwarded-*` headers; only behind a reverse proxy that sets them',
  ),
  readOnly: setting(
    'READ_ONLY',
    Type.Boolean({ default: false }),
    'Answer lookups, polling and downloads only; all else is 403 `read_only`',
  ),
  threads: setting('THREADS', integer(0, 0, 1024), 'Analysis threads; 0 takes one a core'),
  logLevel: setting(
    'LOG_LEVEL',
    Type.Union(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
      { default: 'info' },
    ),
    'Least severe log lines to write',
  ),
  engineQueue: setting(
    'ENGINE_QUEUE',
    integer(4, 0, 10_000),
    'Analyses that may wait for a thread; one more is answered 503',
  ),
  analysisTimeoutS: setting(
    'ANALYSIS_TIMEOUT_S',
    integer(300, 1, 86_400),
    'Longest time one analysis may run',
  ),
  maxUploadMib: setting('MAX_UPLOAD_MIB', integer(200, 1, 2000), 'Largest payload'),
  uploadMemoryMib: setting(
    'UPLOAD_MEMORY_MIB',
    integer(1024, 1, 1_000_000),
    'Memory all uploads in flight may take together; one more is answered 503',
  ),
  uploadMinBytesPerS: setting(
    'UPLOAD_MIN_BYTES_PER_S',
    integer(4096, 0, 1_000_000_000),
    'Uploads slower than this on average are refused, so that they hold no slot; 0 turns the check off',
  ),
  uploadGraceS: setting(
    'UPLOAD_GRACE_S',
    integer(10, 1, 3600),
    'Seconds before the speed of an upload is judged, and the longest pause in it',
  ),
  minDurationS: setting(
    'MIN_DURATION_S',
    Type.Number({ default: 0.5, minimum: 0, maximum: 60 }),
    'Shortest audio, in seconds',
  ),
  maxSyncDurationS: setting(
    'MAX_SYNC_DURATION_S',
    integer(1800, 1, 86_400),
    'Longest audio of synchronous analysis, in seconds',
  ),
  maxJobDurationS: setting(
    'MAX_JOB_DURATION_S',
    integer(10_800, 1, 86_400),
    'Longest audio of jobs, in seconds',
  ),
  resultCacheMib: setting(
    'RESULT_CACHE_MIB',
    integer(1024, 0, 1_000_000),
    'Stored analysis results; the longest unused go first',
  ),
  assetStorageMib: setting(
    'ASSET_STORAGE_MIB',
    integer(10_240, 0, 100_000_000),
    'Disk space for all assets together',
  ),
  assetTtlH: setting('ASSET_TTL_H', integer(24, 1, 8760), 'Hours an uploaded asset is kept'),
  requestsPerMinute: setting(
    'REQUESTS_PER_MINUTE',
    integer(600, 1, 10_000_000),
    'Requests a minute of an account without a limit of its own',
  ),
  concurrency: setting(
    'CONCURRENCY',
    integer(8, 1, 100_000),
    'Uploads an account without a limit of its own may have running at the same time',
  ),
  prices: setting(
    'PRICES',
    Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 1_000_000 }), { default: {} }),
    'Credits by analysis where they differ from the defaults, e.g. `bpm=2,key=2`',
  ),
  jobWorkers: setting(
    'JOB_WORKERS',
    integer(0, 0, 1024),
    'Jobs that run at the same time; 0 takes half of THREADS, so that synchronous requests find room',
  ),
  jobQueue: setting('JOB_QUEUE', integer(1000, 1, 1_000_000), 'Jobs that may wait; one more is answered 503'),
  jobStorageMib: setting(
    'JOB_STORAGE_MIB',
    integer(20_480, 1, 100_000_000),
    'Disk space for uploads and result files of all jobs together',
  ),
  webhookAllowPrivate: setting(
    'WEBHOOK_ALLOW_PRIVATE',
    Type.Boolean({ default: false }),
    'Send webhooks to private and link-local addresses too',
  ),
  stopTimeoutS: setting(
    'STOP_TIMEOUT_S',
    integer(30, 1, 3600),
    'On SIGTERM, seconds for running requests to end',
  ),
};

export type Config = { [Name in keyof typeof settings]: Static<(typeof settings)[Name]['schema']> };

interface Setting<Schema extends TSchema> {
  variable: string;
  schema: Schema;
  description: string;
}

function setting<Schema extends TSchema>(
  variable: string,
  schema: Schema,
  description: string,
): Setting<Schema> {
  return { variable, schema, description };
}

function integer(defaultValue: number, minimum: number, maximum: number) {
  return Type.Integer({ default: defaultValue, minimum, maximum });
}

/** All that is wrong with the settings, at once. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the settings: environment variables first, then the JSON file named by `CONFIG_FILE` (an object with the
 * variables' names as keys), then the defaults. Throws one ConfigError that lists every problem.
 */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const file = readConfigFile(env.CONFIG_FILE, problems);
  const known = new Set(Object.values(settings).map((each) => each.variable));
  for (const name of Object.keys(file)) {
    if (!known.has(name)) problems.push(`${name} in CONFIG_FILE is not a setting`);
  }
  const values: Record<string, unknown> = {};
  for (const [name, { variable, schema }] of Object.entries(settings)) {
    const given = nonEmpty(env[variable]) ?? file[variable];
    if (given === undefined) {
      values[name] = Value.Create(schema);
      continue;
    }
    const value = name === 'prices' ? parsePrices(given) : Value.Convert(schema, given);
    const first = Value.Errors(schema, value).First();
    if (first) problems.push(`${variable} is ${JSON.stringify(given)}: ${first.message.toLowerCase()}`);
    values[name] = value;
  }
  const config = values as Config;
  if ((config.tlsCert === '') !== (config.tlsKey === ''))
    problems.push('TLS_CERT and TLS_KEY must be set together');
  if (config.baseUrl && !/^https?:\/\/[^/\s]+(\/\S*)?$/.test(config.baseUrl)) {
    problems.push(`BASE_URL is ${JSON.stringify(config.baseUrl)}: expected an http or https address`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  config.baseUrl = config.baseUrl.replace(/\/+$/, '');
  if (config.threads === 0) config.threads = availableParallelism();
  if (config.jobWorkers === 0) config.jobWorkers = Math.max(1, Math.floor(config.threads / 2));
  return config;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function readConfigFile(path: string | undefined, problems: string[]): Record<string, unknown> {
  if (!path) return {};
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
    problems.push('CONFIG_FILE must hold one JSON object');
  } catch (error) {
    problems.push(`CONFIG_FILE could not be read: ${(error as Error).message}`);
  }
  return {};
}

/** `bpm=2,key=2` → {bpm: 2, key: 2}; what does not parse is left for the schema to refuse. */
function parsePrices(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const pairs = given.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name, credits]) => [(name ?? '').trim(), Number(credits)]));
}

/** Rows for the README's table. */
export function describeSettings(): { variable: string; default: string; description: string }[] {
  return Object.values(settings).map(({ variable, schema, description }) => {
    const value = Value.Create(schema) as unknown;
    return {
      variable,
      default: typeof value === 'object' ? '' : `${value as string | number | boolean}`,
      description,
    };
  });
}
