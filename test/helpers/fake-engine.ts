import { analyses } from '../../src/analyses/index.js';
import { SeededRandom } from '../../src/analyses/seeded-random.js';
import type { EngineStatus } from '../../src/engine/engine-process.js';
import type { EngineRequest } from '../../src/engine/task.js';
import { CanceledError } from '../../src/errors.js';
import type { Engine } from '../../src/http/services.js';
import type { AnalysisOutput, StageName } from '../../src/native/addon.js';

const mocks: Record<StageName, string> = { tempo: 'bpm', key: 'key', beatgrid: 'beatgrid', loudness: 'lufs' };

/** An engine for tests of what lies around it: it counts its calls and answers when told to, or at once. */
export class FakeEngine implements Engine {
  calls: { bytes: Buffer; request: EngineRequest }[] = [];
  canceled = 0;
  failWith: Error | undefined;
  /** While set, answers wait for it. */
  gate: Promise<void> | undefined;

  async analyze(
    chunks: readonly Buffer[],
    request: EngineRequest,
    signal?: AbortSignal,
  ): Promise<AnalysisOutput> {
    this.calls.push({ bytes: Buffer.concat(chunks), request });
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        this.canceled++;
        reject(new CanceledError());
      });
    });
    aborted.catch(() => {});
    await Promise.race([this.gate, aborted]);
    if (this.failWith) throw this.failWith;
    const audio = {
      duration_s: 1,
      sample_rate_hz: 44_100,
      channels: 2,
      container: 'wav',
      codec: 'pcm_s16le',
    };
    const stages = request.analyses.map((stage) => {
      const analysis = analyses.find(({ name }) => name === mocks[stage]);
      return [stage, analysis?.mock(new SeededRandom('fake'), { timeline: request.timeline })];
    });
    return { audio, ...Object.fromEntries(stages) } as AnalysisOutput;
  }

  status(): EngineStatus {
    return { ready: true, threads: 1, running: 0, queued: 0, restarts: 0, info: null };
  }
}
