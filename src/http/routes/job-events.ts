import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { ApiError } from '../../errors.js';
import { testJob } from '../../jobs/test-jobs.js';
import { showJob } from '../../jobs/view.js';
import { defineEndpoint, type Endpoint, type RequestContext } from '../endpoint.js';
import type { Services } from '../services.js';
import { whatIsKnown } from './jobs.js';

const heartbeatMs = 15_000;
/** Streams that an account may have open at the same time. */
const streamsPerAccount = 16;

/** The states of a job as server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function jobEventEndpoints(services: Services): Endpoint[] {
  const { jobs, jobKinds, jobLifecycle, jobFiles, concurrency } = services;
  return [
    defineEndpoint({
      method: 'GET',
      path: '/v1/jobs/{job_id}/events',
      operationId: 'job_events',
      tag: 'Jobs',
      summary: 'Follow a job',
      description:
        'Server-sent events: the job as polling shows it, at once and whenever it changes, under its status as the event name; the last one is `completed` or `failed`. An event id names the state it shows: with `Last-Event-ID` what was seen already is not sent again.',
      access: 'jobs',
      rateClass: 'standard',
      price: 0,
      writes: false,
      meta: 'none',
      params: Type.Object({ job_id: Type.String({ description: 'Id of the job' }) }),
      headers: Type.Object({
        'Last-Event-ID': Type.Optional(Type.String({ description: 'Id of the last event that was seen' })),
      }),
      success: { status: 200, description: 'Events', contentType: 'text/event-stream' },
      errors: ['job_not_found', 'concurrency_exceeded'],
      mock(input, context) {
        const job = testJob(jobKinds, input.params.job_id ?? '');
        const stream = openStream(context);
        stream.push(event('completed', 'completed', job));
        stream.push(null);
        return undefined;
      },
      handle(input, context) {
        const accountId = context.caller().account.id;
        const id = jobs.get(accountId, input.params.job_id ?? '').id;
        const leave = concurrency.enter(`events:${accountId}`, streamsPerAccount);
        if (!leave) {
          throw new ApiError(
            'concurrency_exceeded',
            `${streamsPerAccount} event streams of this account are open already. Close one first.`,
            { headers: { 'retry-after': '1' }, details: { limit: streamsPerAccount } },
          );
        }
        const stream = openStream(context);
        let seen = context.reply.request.headers['last-event-id'];
        const send = (changed: string) => {
          if (changed !== id) return;
          const job = jobs.get(accountId, id);
          const known = whatIsKnown(services, job);
          const state = [
            job.status,
            job.attempts,
            known.progress?.stage ?? '',
            known.progress?.progress ?? 0,
          ];
          const eventId = state.join(':');
          if (eventId !== seen) stream.push(event(eventId, job.status, showJob(job, jobFiles, known)));
          seen = eventId;
          if (job.finishedAt !== null) stream.push(null);
        };
        const end = () => stream.push(null);
        const heartbeat = setInterval(() => stream.push(': heartbeat\n\n'), heartbeatMs);
        stream.once('close', () => {
          clearInterval(heartbeat);
          jobLifecycle.off('changed', send).off('closing', end);
          leave();
        });
        jobLifecycle.on('changed', send).on('closing', end);
        send(id);
        return { handled: true };
      },
    }),
  ];
}

function openStream({ reply }: RequestContext): Readable {
  const stream = new Readable({ read() {} });
  void reply
    .type('text/event-stream; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(stream);
  return stream;
}

function event(id: string, name: string, data: object): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
