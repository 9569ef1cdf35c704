import { createHash } from 'node:crypto';
import type { AnalysisDefinition } from '../../analyses/definition.js';
import { analyses } from '../../analyses/index.js';
import { SeededRandom } from '../../analyses/seeded-random.js';
import { ApiError } from '../../errors.js';
import { defineEndpoint, type Endpoint, type EndpointInput } from '../endpoint.js';
import type { Services } from '../services.js';

/** The upload endpoints, one of each analysis. */
export function analysisEndpoints(services: Services): Endpoint[] {
  return analyses.map((analysis) => analysisEndpoint(services, analysis));
}

function analysisEndpoint(services: Services, analysis: AnalysisDefinition): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: `/v1/${analysis.name}`,
    operationId: `analyze_${analysis.name.replaceAll('-', '_')}`,
    tag: 'Upload analysis',
    summary: analysis.summary,
    description: analysis.description,
    access: analysis.scope,
    rateClass: 'upload',
    price: services.analysis.price(analysis),
    writes: true,
    body: { kind: 'audio', options: analysis.options },
    success: { status: 200, description: analysis.summary, schema: analysis.result },
    meta: 'sync',
    errors: [
      'insufficient_credits',
      'payload_too_large',
      'unsupported_media_type',
      'undecodable_audio',
      'audio_too_short',
      'audio_too_long',
      'concurrency_exceeded',
      'read_only',
      'service_unavailable',
    ],
    mock: (input) => analysis.mock(new SeededRandom(seedOf(analysis, input)), input.options),
    async handle(input, context) {
      const { payload, options } = input;
      if (!payload) throw new ApiError('missing_parameter', 'The request has no audio.', { param: 'audio' });
      return services.analysis.run({
        analysis,
        options,
        audio: payload,
        accountId: context.caller().account.id,
        traceId: context.traceId,
        signal: context.signal,
      });
    },
  });
}

function seedOf(analysis: AnalysisDefinition, { payload, assetId, options }: EndpointInput): string {
  const hash = createHash('sha256').update(JSON.stringify([analysis.name, options]));
  return hash.update(payload?.sha256 ?? assetId ?? '').digest('hex');
}
