import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Behaviour = (response: ServerResponse, received: Received) => void;

/** A webhook receiver: it keeps what it gets and answers as told. */
export interface Receiver {
  url: string;
  received: Received[];
  behave: Behaviour;
}

export const answer =
  (status: number, body = ''): Behaviour =>
  (response) =>
    response.writeHead(status).end(body);

export async function startReceiver(t: Test): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const got = { path: request.url ?? '', headers: request.headers, body };
      receiver.received.push(got);
      receiver.behave(response, got);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hooks`, received: [], behave: answer(200) };
  return receiver;
}
