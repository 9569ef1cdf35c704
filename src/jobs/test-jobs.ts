import { SeededRandom } from '../analyses/seeded-random.js';
import type { JobKind } from './definition.js';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const createdAt = Date.UTC(2026, 0, 1);
const day = 24 * 3_600_000;

/** The id of a test key's job: nothing but the input decides it, and it tells the kind, since nothing is stored. */
export function testJobId(kinds: readonly JobKind[], kind: JobKind, seed: string): string {
  const random = new SeededRandom(`job:${seed}`);
  const tail = Array.from({ length: 24 }, () => digits.charAt(random.integer(0, 31))).join('');
  return `job_0${digits.charAt(kinds.indexOf(kind))}${tail}`;
}

/** A test key's job, completed at once. Whatever the id, there is such a job. */
export function testJob(kinds: readonly JobKind[], id: string): Record<string, unknown> {
  const kind = kinds[digits.indexOf(id.charAt(5))] ?? kinds[0]!;
  const at = new Date(createdAt).toISOString();
  return {
    job_id: id,
    status: 'completed',
    endpoint: `/v1/${kind.name}`,
    created_at: at,
    started_at: at,
    finished_at: at,
    credits_used: 0,
    result: {
      ...kind.mock(new SeededRandom(id)),
      files: [],
      expires_at: new Date(createdAt + day).toISOString(),
    },
  };
}

export const testJobTime = new Date(createdAt).toISOString();
