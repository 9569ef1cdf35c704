import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Store } from '../../src/store/store.js';
import { verify } from '../../src/webhooks/signature.js';
import type { Campaign } from './campaign.js';

export interface Audit {
  /** In words, each thing that must not be. */
  faults: string[];
  completed: number;
  failed: number;
  /** Jobs that a kill interrupted at least once. */
  interrupted: number;
  /** Events that arrived more than once, as at-least-once allows. */
  repeated: number;
}

/** Goes through everything the campaign left: database, disk and what the receiver got. */
export function audit(dataDir: string, campaign: Campaign): Audit {
  const store = Store.open(dataDir);
  const result: Audit = { faults: [], completed: 0, failed: 0, interrupted: 0, repeated: 0 };
  const fault = (text: string) => result.faults.push(text);
  const { submitted, receiver, accounts } = campaign;

  const ids = submitted.map(({ jobId }) => jobId);
  if (new Set(ids).size !== ids.length) fault('two submissions got the same job');
  const kept = accounts.flatMap(({ id }) => allJobs(store, id));
  for (const id of ids) if (!kept.includes(id)) fault(`${id} was accepted and is lost`);
  for (const id of kept) if (!ids.includes(id)) fault(`${id} is there and was never accepted`);

  const known = new Set(ids);
  const eventsOf = new Map<string, typeof receiver.received>();
  for (const event of receiver.received) {
    const { secret } = store.webhooks.endpoint(event.path)!;
    if (verify(event.signature, secret, event.body, event.at / 1000) !== 'valid')
      fault(`forged event ${event.eventId}`);
    const { data } = JSON.parse(event.body) as { data: { job_id: string } };
    if (!known.has(data.job_id)) fault(`event ${event.eventId} is of no job`);
    eventsOf.set(data.job_id, [...(eventsOf.get(data.job_id) ?? []), event]);
  }

  const usedBy = new Map<string, number>();
  for (const { jobId, accountId, path } of submitted) {
    const job = store.jobs.get(jobId);
    if (!job) continue;
    const price = path === '/v1/halves' ? 7 : 10;
    if (job.attempts > 1) result.interrupted++;
    if (job.status === 'completed') result.completed++;
    else if (job.errorCode === 'internal_error' && job.attempts === 3) result.failed++;
    else fault(`${jobId} is ${job.status} ${job.errorCode ?? ''} after ${job.attempts} attempts`);

    const settled = store.ledger.settlement(job.reservation);
    const expected =
      job.status === 'completed' ? { kind: 'charge', credits: price } : { kind: 'release', credits: price };
    if (settled?.kind !== expected.kind || settled.credits !== expected.credits)
      fault(`${jobId} is ${job.status} and settled as ${JSON.stringify(settled)}`);
    usedBy.set(accountId, (usedBy.get(accountId) ?? 0) + (job.creditsUsed ?? 0));

    const events = eventsOf.get(jobId) ?? [];
    if (events.length === 0) fault(`no event of ${jobId} arrived`);
    if (events.length > 1) result.repeated++;
    if (new Set(events.map(({ eventId, body }) => eventId + body)).size > 1)
      fault(`${jobId} sent different events`);
    const type = `job.${job.status}`;
    if (events.some(({ body }) => (JSON.parse(body) as { type: string }).type !== type))
      fault(`an event of ${jobId} is not ${type}`);

    for (const file of store.jobFiles.list(jobId)) {
      const bytes = readFileSync(join(dataDir, 'results', file.file));
      if (!createHash('sha256').update(bytes).digest().equals(file.sha256))
        fault(`${file.name} of ${jobId} is damaged`);
    }
    const files = store.jobFiles.list(jobId).length;
    const due = job.status === 'completed' && path === '/v1/halves' ? 2 : 0;
    if (files !== due) fault(`${jobId} has ${files} files, not ${due}`);
  }

  for (const { id, granted } of accounts) {
    const used = usedBy.get(id) ?? 0;
    const balance = store.accounts.get(id)?.balance;
    if (balance !== granted - used) fault(`${id} has ${balance} credits, not ${granted} − ${used}`);
    if (store.ledger.sum(id) !== balance) fault(`the ledger of ${id} does not add up`);
  }
  if (store.ledger.openReservations('').length > 0) fault('reservations are left open');

  if (filesIn(dataDir, 'staging').length > 0) fault('uploads are left in staging');
  const rows = new Set(store.jobFiles.files());
  for (const name of filesIn(dataDir, 'results')) if (!rows.has(name)) fault(`results/${name} is a stray`);
  store.close();
  return result;
}

function allJobs(store: Store, accountId: string): string[] {
  return store.jobs.page(accountId, {}, undefined, 1_000_000).map(({ id }) => id);
}

function filesIn(dataDir: string, folder: string): string[] {
  const path = join(dataDir, folder);
  return existsSync(path) ? readdirSync(path) : [];
}
