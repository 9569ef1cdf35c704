import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { type Answer, startRealService, upload } from '../helpers/service.js';
import { beats, flac, silentMp3, sine, videoOnlyMp4, wav } from '../helpers/signals.js';

// Everything issue-worthy that can be sent, against the real engine behind real HTTP: the right answer, nothing billed,
// no thread lost, no file left.

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const text = 'It was a bright cold day in April, and the clocks were striking thirteen. '.repeat(50);

t.test('bad input', async (t) => {
  const service = await startRealService(t, {
    UPLOAD_GRACE_S: '1',
    UPLOAD_MIN_BYTES_PER_S: '1000',
    REQUESTS_PER_MINUTE: '100000',
  });
  const { services } = service;
  const { id, key } = service.account({ credits: 1000 });

  const refused = async (
    t: Test,
    init: RequestInit & { key: string },
    status: number,
    code: string,
    message: RegExp,
    path = '/v1/key-bpm',
  ) => {
    const before = services.credits.balance(id);
    const answer = await service.request(path, init);
    t.equal(answer.status, status, answer.text.slice(0, 300));
    t.equal(answer.body.error.code, code);
    t.match(answer.body.error.message, message);
    t.equal(services.credits.balance(id), before, 'nothing is billed');
    t.equal(services.uploadMemory.usedBytes, 0, 'no memory is held');
  };
  const analysed = async (bytes: Buffer, path: string): Promise<Answer> =>
    service.request(path, upload(bytes, key));

  t.test('no body and an empty body', async (t) => {
    await refused(t, { method: 'POST', key }, 400, 'missing_parameter', /no body.*multipart/s);
    await refused(t, upload('', key), 400, 'missing_parameter', /no body|empty/);
    const form = new FormData();
    form.append('audio', new Blob([]), 'empty.mp3');
    await refused(t, { method: 'POST', body: form, key }, 400, 'missing_parameter', /empty/);
  });

  t.test('forms without audio, with two files, with another field, and damaged ones', async (t) => {
    const form = new FormData();
    form.append('title', 'x');
    await refused(t, { method: 'POST', body: form, key }, 400, 'missing_parameter', /"audio"/);
    const other = new FormData();
    other.append('file', new Blob(['x']), 'x.mp3');
    await refused(t, { method: 'POST', body: other, key }, 400, 'bad_request', /"file".*"audio"/);
    const two = new FormData();
    two.append('audio', new Blob(['x']), 'x.mp3');
    two.append('audio', new Blob(['y']), 'y.mp3');
    await refused(t, { method: 'POST', body: two, key }, 400, 'bad_request', /more than one/);
    await refused(
      t,
      upload('--b\r\nnothing', key, 'multipart/form-data; boundary=b'),
      400,
      'bad_request',
      /damaged|cut off/,
    );
    await refused(t, upload('x', key, 'multipart/form-data'), 400, 'bad_request', /boundary/);
  });

  t.test('a wrong content type, and JSON that is none', async (t) => {
    await refused(
      t,
      upload('a=b', key, 'application/x-www-form-urlencoded'),
      415,
      'unsupported_media_type',
      /audio\/\*/,
    );
    await refused(t, upload('{', key, 'application/json'), 400, 'bad_request', /not valid JSON/);
    await refused(t, upload('[]', key, 'application/json'), 400, 'bad_request', /not an object/);
    await refused(t, upload('{}', key, 'application/json'), 400, 'missing_parameter', /asset_id/);
  });

  t.test('bytes that are no audio', async (t) => {
    await refused(t, upload(Buffer.from('0123456789'), key), 415, 'unsupported_media_type', /MP3.*WAV/);
    await refused(
      t,
      upload(Buffer.from([0x8f, 0x12, 0xe3, 0x44, 5, 0xa6, 0x77, 0x18, 0xf9, 0x90]), key),
      415,
      'unsupported_media_type',
      /./,
    );
    await refused(t, upload(text, key), 415, 'unsupported_media_type', /text/);
    await refused(t, upload(png, key), 415, 'unsupported_media_type', /./);
    await refused(t, upload(zip(text), key), 415, 'unsupported_media_type', /./);
    await refused(t, upload(videoOnlyMp4(), key), 415, 'unsupported_media_type', /no audio/);
  });

  t.test('a truncated MP3 is analysed as far as it goes, or refused when nothing is left', async (t) => {
    const whole = silentMp3(200);
    const answer = await analysed(whole.subarray(0, whole.length / 2 + 100), '/v1/lufs');
    t.equal(answer.status, 200);
    t.ok(Math.abs(answer.body.duration_s - 2.6) < 0.1, 'half of it');
    await refused(t, upload(whole.subarray(0, 300), key), 415, 'unsupported_media_type', /./, '/v1/lufs');
  });

  t.test('a FLAC with a flipped byte in the middle', async (t) => {
    const whole = flac(40);
    t.equal((await analysed(whole, '/v1/lufs')).status, 200);
    const broken = Buffer.from(whole);
    broken[broken.length >> 1]! ^= 0x55;
    await refused(t, upload(broken, key), 422, 'undecodable_audio', /damaged|corrupt|checksum/i, '/v1/lufs');
  });

  t.test(
    'a WAV that does not know its size is measured by its bytes, one that lies about it is refused',
    async (t) => {
      for (const claimedDataBytes of [0xffff_ffff, 0]) {
        const answer = await analysed(wav(44_100, sine(440, 0.5), { claimedDataBytes }), '/v1/lufs');
        t.equal(answer.status, 200, answer.text.slice(0, 200));
        t.equal(answer.body.duration_s, 1);
      }
      const lie = wav(44_100, sine(440, 0.5), { claimedDataBytes: 1_000_000 });
      await refused(
        t,
        upload(lie, key),
        422,
        'undecodable_audio',
        /cut off|truncated|ends|of the/,
        '/v1/lufs',
      );
    },
  );

  t.test('NaN and infinity in a float WAV never reach an answer', async (t) => {
    const tone = sine(440, 0.5);
    const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const bytes = wav(88_200, (frame) => bad[frame % 997] ?? tone(frame), { format: 'float32' });
    for (const path of ['/v1/lufs?timeline=true', '/v1/key-bpm', '/v1/beatgrid']) {
      const answer = await analysed(bytes, path);
      if (answer.status === 200) t.notMatch(answer.text, /NaN|Infinity|1e\+?3\d/i);
      else t.equal(answer.status, 422);
    }
  });

  t.test('too short: 0.1 s and one sample', async (t) => {
    await refused(t, upload(wav(4410, sine(440, 0.5)), key), 422, 'audio_too_short', /0\.5/);
    await refused(
      t,
      upload(
        wav(1, () => 0.5),
        key,
      ),
      422,
      'audio_too_short',
      /0\.5/,
    );
  });

  t.test('digital silence is null with reasons, never a made-up number', async (t) => {
    const silence = wav(44_100 * 5, () => 0);
    const loudness = await analysed(silence, '/v1/lufs');
    t.match(loudness.body, {
      integrated_lufs: null,
      true_peak_dbtp: null,
      reasons: { integrated_lufs: 'silent' },
    });
    const both = await analysed(silence, '/v1/key-bpm');
    t.match(both.body, { key: null, tempo: null, reasons: { key: String, tempo: String } });
    const grid = await analysed(silence, '/v1/beatgrid');
    t.same(grid.body.beats, []);
  });

  t.test('8 channels and 192 kHz are analysed', async (t) => {
    const wide = await analysed(wav(44_100, sine(440, 0.1), { channels: 8 }), '/v1/lufs');
    t.match([wide.status, wide.body.channels], [200, 8]);
    const fast = await analysed(wav(192_000, sine(440, 0.5, 192_000), { sampleRateHz: 192_000 }), '/v1/lufs');
    t.match([fast.status, fast.body.sample_rate_hz, fast.body.duration_s], [200, 192_000, 1]);
  });

  t.test('31 minutes are too long for a synchronous answer', async (t) => {
    const long = wav(8000 * 31 * 60, () => 0, { sampleRateHz: 8000 });
    await refused(t, upload(long, key), 422, 'audio_too_long', /1800|30 min/);
  });

  t.test('a body cut off half-way', async (t) => {
    const before = services.credits.balance(id);
    const socket = await open(service.address, key, 100_000);
    socket.write(Buffer.alloc(50_000));
    while (services.uploadMemory.usedBytes === 0) await sleep(5);
    socket.destroy();
    while (services.uploadMemory.usedBytes > 0) await sleep(5);
    const halfClosed = await open(service.address, key, 100_000);
    halfClosed.end(Buffer.alloc(50_000));
    t.match(await readAll(halfClosed), /^(HTTP\/1.1 400 .*bad_request.*)?$/s, 'who can still read is told');
    t.equal(services.credits.balance(id), before);
    t.equal(services.uploadMemory.usedBytes, 0);
  });

  t.test('a body sent one byte a second holds its place for the grace time and no longer', async (t) => {
    const socket = await open(service.address, key, 100_000);
    const drip = setInterval(() => socket.write('x'), 300);
    const answer = await readAll(socket, /\r\n\r\n.*\}$/s);
    clearInterval(drip);
    socket.destroy();
    t.match(answer, /^HTTP\/1.1 400 .*bad_request.*too slow/s);
    t.equal(services.uploadMemory.usedBytes, 0);
  });

  t.test('after all of it the service is as it was', async (t) => {
    const { running, queued, restarts, ready } = service.engine.status();
    t.same({ running, queued, restarts, ready }, { running: 0, queued: 0, restarts: 0, ready: true });
    const files = readdirSync(services.config.dataDir).filter(
      (name) => !/^(state|catalog)\.db(-wal|-shm)?$/.test(name),
    );
    t.same(files, [], 'no file is left');
    const answers = await Promise.all(
      [120, 100, 90, 80].map((tempo) => analysed(beats(tempo, 8), '/v1/bpm')),
    );
    t.same(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
      'every thread still answers',
    );
    t.equal(services.store.ledger.openReservations('request:').length, 0);
    t.equal(services.store.ledger.sum(id), services.credits.balance(id));
  });
});

/** A zip archive of one file, enough of it to look like one. */
function zip(content: string): Buffer {
  const data = deflateRawSync(content);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(5, 26);
  return Buffer.concat([header, Buffer.from('a.txt'), data]);
}

/** A connection that has announced an upload of `bytes` and sent none of it. */
function open(address: string, key: string, bytes: number): Promise<Socket> {
  const { port, hostname } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
      socket.write(
        `POST /v1/bpm HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: audio/wav\r\nContent-Length: ${bytes}\r\n\r\n`,
      );
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

/** What comes until the end, or until it looks like `whole`. */
function readAll(socket: Socket, whole?: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let all = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      all += piece;
      if (whole?.test(all)) resolve(all);
    });
    socket.on('close', () => resolve(all)).on('end', () => resolve(all));
  });
}
