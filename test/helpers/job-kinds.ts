import { Type } from '@sinclair/typebox';
import type { JobKind } from '../../src/jobs/definition.js';
import { defineJobKind } from '../../src/jobs/definition.js';
import { CanceledError } from '../../src/errors.js';

/** A job kind whose runs wait until the test lets them go, and which gives its upload back as a file. */
export class EchoKind {
  readonly started: { bytes: Buffer; signal: AbortSignal }[] = [];
  /** While set, runs wait for it. */
  gate: Promise<void> | undefined;
  failWith: Error | undefined;

  readonly kind = defineJobKind({
    name: 'echo',
    summary: 'Echo',
    description: 'Gives the upload back.',
    price: 10,
    typicalS: 4,
    options: Type.Object({ note: Type.String({ default: '' }) }),
    result: Type.Object({ note: Type.String(), byte_length: Type.Integer() }),
    run: async ({ options, readAudio, signal, report, writeFile }) => {
      const bytes = Buffer.concat(await readAudio());
      this.started.push({ bytes, signal });
      report('waiting', 0.5);
      signal.throwIfAborted();
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new CanceledError())),
      );
      aborted.catch(() => {});
      await Promise.race([this.gate, aborted]);
      if (this.failWith) throw this.failWith;
      await writeFile('écho "1".bin', 'audio/wav', [bytes], 1.5);
      return { note: options.note, byte_length: bytes.length };
    },
    mock: (random) => ({ note: '', byte_length: random.integer(1, 1000) }),
  }) as unknown as JobKind;

  /** Holds runs back until the function it returns is called. */
  close(): () => void {
    let open = () => {};
    this.gate = new Promise((resolve) => (open = resolve));
    return open;
  }
}
