import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { defineJobKind, type JobKind } from '../../src/jobs/definition.js';

/** A job that takes a moment and leaves two files, written one after the other, for a kill to come between. */
export const filesKind = defineJobKind({
  name: 'halves',
  summary: 'Halves',
  description: 'Gives back the two halves of an upload.',
  price: 7,
  typicalS: 0.2,
  options: Type.Object({}),
  result: Type.Object({ byte_length: Type.Integer() }),
  async run({ readAudio, signal, report, writeFile }) {
    const bytes = Buffer.concat(await readAudio());
    const middle = bytes.length >> 1;
    for (const [name, part] of [
      ['first.bin', bytes.subarray(0, middle)],
      ['second.bin', bytes.subarray(middle)],
    ] as const) {
      report(name, 0.5);
      await sleep(Math.random() * 150, undefined, { signal });
      await writeFile(name, 'application/octet-stream', [part], null);
    }
    return { byte_length: bytes.length };
  },
  mock: (random) => ({ byte_length: random.integer(1, 1000) }),
}) as unknown as JobKind;
