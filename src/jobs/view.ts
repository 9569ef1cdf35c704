import { type TObject, Type } from '@sinclair/typebox';
import { type Job, jobStatuses } from '../store/jobs.js';
import type { JobKind } from './definition.js';
import type { JobFiles } from './files.js';

const Time = (description: string) => Type.String({ format: 'date-time', description });

const DownloadsSchema = Type.Object({
  expires_at: Time('When the files of the result are gone'),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      url: Type.String({ format: 'uri', description: 'Signed address that needs no header; it expires' }),
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      content_type: Type.String(),
      duration_s: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
    }),
  ),
});

/** A result on the wire: the fields of its kind, and its files. */
export function resultSchema(kinds: readonly JobKind[]) {
  return Type.Union(
    kinds.map(({ name, result }) => Type.Intersect([result, DownloadsSchema], { title: `/v1/${name}` })),
  );
}

export const JobErrorSchema = Type.Object(
  { code: Type.String(), message: Type.String() },
  { description: 'Of a failed job; beside the codes of errors, `canceled`' },
);

export function jobSchema(kinds: readonly JobKind[]): TObject {
  return Type.Object({
    job_id: Type.String(),
    status: Type.Union(jobStatuses.map((status) => Type.Literal(status))),
    endpoint: Type.String({ description: 'Where it was submitted, e.g. `/v1/audio-features/upload`' }),
    created_at: Time('When it was submitted'),
    started_at: Type.Union([Time('When its last attempt began'), Type.Null()]),
    finished_at: Type.Union([Time('When it ended'), Type.Null()]),
    estimated_completion: Type.Optional(Time('While it has not ended')),
    progress: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'While processing: how much is done' }),
    ),
    stage: Type.Optional(Type.String({ description: 'While processing: what is being done' })),
    credits_used: Type.Optional(Type.Integer({ minimum: 0, description: 'Once it has ended' })),
    result: Type.Optional(resultSchema(kinds)),
    error: Type.Optional(JobErrorSchema),
  });
}

export interface Progress {
  stage: string;
  progress: number;
}

/** A job as its owner sees it. */
export function showJob(
  job: Job,
  files: JobFiles,
  now: { progress: Progress | undefined; estimatedCompletion: number },
): object {
  const ended = job.finishedAt !== null;
  return {
    job_id: job.id,
    status: job.status,
    endpoint: `/v1/${job.kind}`,
    created_at: iso(job.createdAt),
    started_at: isoOrNull(job.startedAt),
    finished_at: isoOrNull(job.finishedAt),
    ...(!ended && { estimated_completion: iso(now.estimatedCompletion) }),
    ...(job.status === 'processing' && { progress: 0, stage: 'starting', ...now.progress }),
    ...(ended && { credits_used: job.creditsUsed }),
    ...(job.status === 'completed' && { result: showResult(job, files) }),
    ...(job.status === 'failed' && { error: { code: job.errorCode, message: job.errorMessage } }),
  };
}

/** The result of a completed job: on polling and in its event. */
export function showResult(job: Job, files: JobFiles): object {
  return {
    ...(JSON.parse(job.result ?? '{}') as object),
    files: files.list(job.id).map((file) => ({
      name: file.name,
      url: files.urlOf(file),
      bytes: file.bytes,
      sha256: file.sha256.toString('hex'),
      content_type: file.contentType,
      duration_s: file.durationS,
    })),
    expires_at: iso(job.expiresAt ?? 0),
  };
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
