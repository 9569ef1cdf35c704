import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { ApiError, CanceledError } from '../../errors.js';
import type { JobKind } from '../../jobs/definition.js';
import { testJob, testJobId, testJobTime } from '../../jobs/test-jobs.js';
import { iso, jobSchema, showJob } from '../../jobs/view.js';
import { type Job, jobStatuses } from '../../store/jobs.js';
import { defineEndpoint, type Endpoint, type EndpointInput } from '../endpoint.js';
import { idempotencyKeyOf } from '../idempotency.js';
import { idFromCursor, pageOf, pageQuery, toPage } from '../pagination.js';
import type { Services } from '../services.js';

const Submitted = Type.Object({
  job_id: Type.String(),
  status: Type.Union([Type.Literal('queued'), ...jobStatuses.slice(1).map((each) => Type.Literal(each))], {
    description: '`queued`; of a repeat with the same Idempotency-Key, what it is by now',
  }),
  poll_url: Type.String({ description: 'Where to ask how it is' }),
  estimated_completion: Type.String({ format: 'date-time' }),
});

const params = Type.Object({ job_id: Type.String({ description: 'Id of the job' }) });
const common = { tag: 'Jobs', access: 'jobs', price: 0, meta: 'sync', writes: false } as const;

/** Submission of every kind of job, and what can be done with a job. */
export function jobEndpoints(services: Services): Endpoint[] {
  const { jobKinds, jobs, polls } = services;
  const Job = jobSchema(jobKinds);
  const show = (job: Job) => showJob(job, services.jobFiles, whatIsKnown(services, job));
  const own = (input: EndpointInput, accountId: string) => jobs.get(accountId, input.params.job_id ?? '');
  const endpointPaths = jobKinds.map(({ name }) => Type.Literal(`/v1/${name}`));
  return [
    ...jobKinds.map((kind) => submission(services, kind)),
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/jobs',
      operationId: 'list_jobs',
      summary: 'List jobs',
      description: 'The jobs of the account, newest first.',
      rateClass: 'standard',
      query: Type.Object({
        status: Type.Optional(Type.Union(jobStatuses.map((status) => Type.Literal(status)))),
        endpoint: Type.Optional(Type.Union(endpointPaths, { description: 'Where they were submitted' })),
        ...pageQuery,
      }),
      success: { status: 200, description: 'A page of jobs', schema: pageOf(Job) },
      errors: [],
      mock: () => ({ data: [testJob(jobKinds, `job_00${'0'.repeat(24)}`)], next_cursor: null }),
      handle({ query }, context) {
        const limit = query.limit as number;
        const before = idFromCursor(query.cursor as string | undefined, 'job_');
        const filter = {
          status: query.status as Job['status'] | undefined,
          kind: (query.endpoint as string | undefined)?.slice('/v1/'.length),
        };
        const found = jobs.list(context.caller().account.id, filter, before, limit + 1);
        return { result: toPage(found, limit, ({ id }) => id, show) };
      },
    }),
    defineEndpoint({
      ...common,
      method: 'GET',
      path: '/v1/jobs/{job_id}',
      operationId: 'get_job',
      summary: 'Poll a job',
      description:
        'How a job is, and what it came to. `Retry-After` says when to ask again: after 2 s, then a second longer each time, up to 15 s. More than once a second a job is refused.',
      rateClass: 'poll',
      params,
      success: { status: 200, description: 'The job', schema: Job },
      errors: ['job_not_found', 'rate_limit_exceeded'],
      mock: (input) => testJob(jobKinds, input.params.job_id ?? ''),
      handle(input, context) {
        const job = own(input, context.caller().account.id);
        const retryAfterS = polls.count(job.id);
        if (job.finishedAt !== null) return { result: show(job) };
        return { result: show(job), headers: { 'retry-after': String(retryAfterS) } };
      },
    }),
    defineEndpoint({
      ...common,
      method: 'DELETE',
      path: '/v1/jobs/{job_id}',
      operationId: 'cancel_job',
      summary: 'Cancel a job',
      description:
        'Ends a job that waits or runs: it is `failed` with the code `canceled`, and its credits are given back.',
      rateClass: 'standard',
      writes: true,
      params,
      success: { status: 200, description: 'The canceled job', schema: Job },
      errors: ['job_not_found', 'job_not_cancelable'],
      mock: (input) => {
        const { result: _result, ...job } = testJob(jobKinds, input.params.job_id ?? '');
        const error = { code: 'canceled', message: 'The job was canceled. Nothing was billed.' };
        return { ...job, status: 'failed', error };
      },
      handle: (input, context) => ({
        result: show(jobs.cancel(context.caller().account.id, input.params.job_id ?? '')),
      }),
    }),
  ];
}

function submission(services: Services, kind: JobKind): Endpoint {
  const { jobs, jobKinds, address, idempotency } = services;
  const accepted = (job: Pick<Job, 'id' | 'status'>, estimatedCompletion: string) => ({
    job_id: job.id,
    status: job.status,
    poll_url: `${address.base}/v1/jobs/${job.id}`,
    estimated_completion: estimatedCompletion,
  });
  return defineEndpoint({
    ...common,
    method: 'POST',
    path: `/v1/${kind.name}`,
    operationId: `submit_${kind.name.replaceAll(/[-/]/g, '_')}`,
    summary: kind.summary,
    description: `${kind.description} Accepted at once as a job; its end is told by webhook, if one is set, and by polling.`,
    rateClass: 'upload',
    price: jobs.price(kind),
    writes: true,
    headers: Type.Object({
      'Idempotency-Key': Type.Optional(
        Type.String({
          description:
            'Any text of your own. Sent again within 24 hours with the same request, it gives the same job (and `Idempotent-Replayed: true`) instead of a second one.',
        }),
      ),
    }),
    body: { kind: 'audio', options: kind.options, staged: true },
    success: { status: 202, description: 'The job is accepted', schema: Submitted },
    meta: 'job',
    errors: [
      'insufficient_credits',
      'payload_too_large',
      'unsupported_media_type',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'service_unavailable',
    ],
    async enter(context) {
      jobs.checkRoom();
      const key = idempotencyKeyOf(context.reply.request);
      return key === undefined ? () => {} : idempotency.enter(context.caller().account.id, key);
    },
    mock({ options, payload, assetId }) {
      const seed = createHash('sha256').update(JSON.stringify([kind.name, options, assetId ?? '']));
      const id = testJobId(jobKinds, kind, seed.update(payload?.sha256 ?? '').digest('hex'));
      return accepted({ id, status: 'queued' }, testJobTime);
    },
    handle({ options, upload }, context) {
      if (!upload) throw new ApiError('missing_parameter', 'The request has no audio.', { param: 'audio' });
      // Whoever has gone away does not know of the job, and may send it again.
      if (context.signal.aborted) throw new CanceledError();
      const { job, replayed } = jobs.submit({
        accountId: context.caller().account.id,
        kind,
        options,
        upload,
        idempotencyKey: idempotencyKeyOf(context.reply.request),
        traceId: context.traceId,
      });
      const { estimatedCompletion } = whatIsKnown(services, job);
      return {
        result: accepted(job, iso(job.finishedAt ?? estimatedCompletion)),
        creditsReserved: job.creditsReserved,
        ...(replayed && { headers: { 'idempotent-replayed': 'true' } }),
      };
    },
  });
}

/** What of a job is not in its row. */
export function whatIsKnown({ jobRunner, estimate }: Services, job: Job) {
  return {
    progress: job.status === 'processing' ? jobRunner.progressOf(job.id) : undefined,
    estimatedCompletion: job.finishedAt ?? estimate.completionOf(job, Date.now()),
  };
}
