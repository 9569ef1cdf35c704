import { Type } from '@sinclair/typebox';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { sendFile } from '../send-file.js';
import type { Services } from '../services.js';

/** Downloads of results. */
export function fileEndpoints({ jobFiles, results }: Services): Endpoint[] {
  return [
    defineEndpoint({
      method: 'GET',
      path: '/v1/files/{job_id}/{name}',
      operationId: 'download_file',
      tag: 'Jobs',
      summary: 'Download a result file',
      description:
        'The address comes whole from the result of a job: its signature is the right of access, so it needs no API key. Understands `Range` (206, one range), `If-Range` and `If-None-Match` (304).',
      access: 'public',
      rateClass: 'unlimited',
      price: 0,
      writes: false,
      meta: 'none',
      params: Type.Object({
        job_id: Type.String({ description: 'Id of the job' }),
        name: Type.String({ description: 'Name of the file in the result' }),
      }),
      query: Type.Object({
        expires: Type.Integer({ description: 'Unix time in seconds' }),
        signature: Type.String(),
      }),
      success: { status: 200, description: 'The file', contentType: 'application/octet-stream' },
      errors: ['not_found', 'file_expired'],
      handle({ params, query }, { reply }) {
        const { job_id: jobId = '', name = '' } = params;
        const file = jobFiles.find(jobId, name, query.expires as number, query.signature as string);
        sendFile(reply, {
          name: file.name,
          contentType: file.contentType,
          byteLength: file.bytes,
          etag: `"${file.sha256.toString('hex')}"`,
          read: (range) => results.read(file.file, range),
        });
        return { handled: true };
      },
    }),
  ];
}
