import { writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { generate } from 'selfsigned';
import t from 'tap';
import { loadConfig } from '../../src/config.js';
import { startServer } from '../../src/server.js';

t.test(
  'with a certificate the service speaks TLS 1.3, over HTTP/2 and HTTP/1.1, and nothing less',
  async (t) => {
    const dir = t.testdir();
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keySize: 2048,
    });
    const [certFile, keyFile] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const env = {
      LOG_LEVEL: 'silent',
      PORT: '0',
      THREADS: '1',
      DATA_DIR: dir,
      TLS_CERT: certFile,
      TLS_KEY: keyFile,
    };
    const server = await startServer(loadConfig(env));
    t.match(server.address, /^https:/);
    const { hostname, port } = new URL(server.address);

    t.equal(await https(`${server.address}/healthz`, cert), 200, 'HTTP/1.1');

    const session = connectHttp2(server.address, { ca: cert, servername: 'localhost' });
    const ask = (headers: Record<string, string>, body?: string) =>
      new Promise<[number, string]>((resolve, reject) => {
        const stream = session.request(headers);
        let status = 0;
        let text = '';
        stream.on('response', (answer) => (status = Number(answer[':status'])));
        stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        stream.on('end', () => resolve([status, text])).on('error', reject);
        stream.end(body);
      });
    t.match(await ask({ ':path': '/healthz' }), [200, /ok/]);
    const post = { ':method': 'POST', ':path': '/v1/bpm', 'content-type': 'audio/wav' };
    t.match(await ask(post, 'x'), [401, /missing_api_key/]);

    const socket = connectTls({
      host: hostname,
      port: Number(port),
      ca: cert,
      servername: 'localhost',
      maxVersion: 'TLSv1.2',
    });
    const error = await new Promise<Error | undefined>((resolve) => {
      socket.on('error', resolve).on('secureConnect', () => resolve(undefined));
    });
    t.match(error?.message, /protocol|alert|version/i, 'TLS 1.2 is refused');

    await server.stop();
    t.ok(session.closed || session.destroyed, 'a stop ends open sessions');
  },
);

t.test('a certificate that cannot be read is told by its setting', async (t) => {
  const env = { DATA_DIR: t.testdir(), TLS_CERT: '/none.pem', TLS_KEY: '/none.pem', LOG_LEVEL: 'silent' };
  await t.rejects(startServer(loadConfig(env)), /TLS_CERT could not be read/);
});

function https(url: string, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    httpsRequest(url, { ca, servername: 'localhost', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
