import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { ApiError, CanceledError } from '../errors.js';
import { type PayloadLimits, receivePayload, tooLarge, watchSpeed } from './payload.js';
import { UploadMemory } from './upload-memory.js';

/** Audio that arrived, wherever it was put. */
interface Received {
  byteLength: number;
  release: () => void;
}

/** Puts audio where it is to go: `receivePayload` or `stageUpload`. */
type Receive<Audio> = (stream: Readable, limits: PayloadLimits) => Promise<Audio>;

export interface UploadBody<Audio> {
  /** Absent when the body names an asset instead. */
  audio?: Audio;
  /** Options sent beside the audio, as form fields or as JSON. */
  fields: Record<string, unknown>;
}

const accepted =
  'Send the audio as the raw body with "Content-Type: audio/*" or "application/octet-stream", as multipart/form-data with the file field "audio", or as JSON {"asset_id": "asset_…"}';
const maxJsonBytes = 64 * 1024;
// Small enough to be outside the shared budget.
const jsonMemory = new UploadMemory(Number.POSITIVE_INFINITY);

/**
 * Reads the body of an upload endpoint in any of its three forms. The content type only says which form it is; what kind
 * of audio it is, the bytes decide. Throws ApiError bad_request, missing_parameter, unsupported_media_type and all that
 * `receive` throws.
 */
export async function readUploadBody<Audio extends Received>(
  request: IncomingMessage,
  limits: PayloadLimits,
  receive: Receive<Audio>,
): Promise<UploadBody<Audio>> {
  const { headers } = request;
  if (!hasBody(headers))
    throw new ApiError('missing_parameter', `The request has no body. ${accepted}.`, { param: 'audio' });
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const overheadBytes = type === 'multipart/form-data' ? 1 << 20 : 0;
  if (Number(headers['content-length'] ?? 0) > limits.maxBytes + overheadBytes)
    throw tooLarge(limits.maxBytes);
  if (type.startsWith('audio/') || type === 'application/octet-stream') {
    return { audio: nonEmpty(await receive(request, limits)), fields: {} };
  }
  if (type === 'multipart/form-data') return readForm(request, limits, receive);
  if (type === 'application/json') return { fields: await readJson(request, limits) };
  const what =
    type === '' ? 'The request has no content type' : `The content type "${type}" is not accepted here`;
  throw new ApiError('unsupported_media_type', `${what}. ${accepted}.`, { param: 'content-type' });
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  // HTTP/2 may leave both headers out; an empty stream is found out when it has been read.
  const http1 = headers[':method' as keyof IncomingHttpHeaders] === undefined;
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return length === undefined ? encoding !== undefined || !http1 : length !== '0';
}

function nonEmpty<Audio extends Received>(audio: Audio): Audio {
  if (audio.byteLength > 0) return audio;
  audio.release();
  throw new ApiError('missing_parameter', `The audio is empty: 0 bytes arrived. ${accepted}.`, {
    param: 'audio',
  });
}

async function readJson(request: IncomingMessage, limits: PayloadLimits): Promise<Record<string, unknown>> {
  const payload = await receivePayload(request, { ...limits, maxBytes: maxJsonBytes }, jsonMemory);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(payload.chunks).toString());
  } catch {
    throw new ApiError(
      'bad_request',
      'The body is not valid JSON. Expected an object such as {"asset_id": "asset_…"}.',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(
      'bad_request',
      'The body is JSON but not an object. Expected one such as {"asset_id": "asset_…"}.',
    );
  }
  return value as Record<string, unknown>;
}

function readForm<Audio extends Received>(
  request: IncomingMessage,
  limits: PayloadLimits,
  receive: Receive<Audio>,
): Promise<UploadBody<Audio>> {
  return new Promise((resolve, reject) => {
    const form = openForm(request, limits);
    const fields: Record<string, unknown> = {};
    let audio: Promise<Audio> | undefined;
    let audioStream: Readable | undefined;

    let ended = false;
    function fail(error: Error): void {
      if (ended) return;
      ended = true;
      unwatch();
      request.unpipe(form);
      request.resume();
      audioStream?.destroy();
      // It may have been complete when something after it went wrong.
      void audio?.then(
        (received) => received.release(),
        () => {},
      );
      reject(error);
    }
    // The whole form is watched, so its parts need not be.
    const unwatch = watchSpeed(request, limits, fail);
    const partLimits = { ...limits, minBytesPerS: 0 };

    form.on('field', (name: string, value: string) => {
      fields[name] = value;
    });
    form.on('file', (name: string, stream: Readable) => {
      if (name !== 'audio' || audio) {
        stream.resume();
        const what = audio ? 'more than one file' : `the file field "${name}"`;
        fail(
          new ApiError('bad_request', `The form has ${what}; expected exactly one, "audio".`, {
            param: 'audio',
          }),
        );
        return;
      }
      audioStream = stream;
      audio = receive(stream, partLimits);
      audio.catch(fail);
    });
    form.on('error', () =>
      fail(new ApiError('bad_request', 'The multipart body is damaged or was cut off. Send it again whole.')),
    );
    form.on('finish', () => {
      unwatch();
      if (audio) {
        audio
          .then((received) => {
            resolve({ audio: nonEmpty(received), fields });
            ended = true;
          })
          .catch(fail);
      } else if ('asset_id' in fields) resolve({ fields });
      else
        fail(
          new ApiError('missing_parameter', `The form has no file field "audio". ${accepted}.`, {
            param: 'audio',
          }),
        );
    });
    request.once('close', () => {
      if (!request.readableEnded) fail(new CanceledError('The upload was cut off.'));
    });
    request.on('error', () => {});
    request.pipe(form);
  });
}

function openForm(request: IncomingMessage, limits: PayloadLimits) {
  try {
    const headers = request.headers as BusboyHeaders;
    return new Busboy({
      headers,
      limits: { files: 2, fields: 32, fieldSize: 8192, fileSize: limits.maxBytes + 1 },
    });
  } catch {
    throw new ApiError(
      'bad_request',
      'The multipart body has no boundary in its content type. Let the HTTP client set that header.',
    );
  }
}
