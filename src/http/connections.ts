import type { Server } from 'node:http';
import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';

interface Request {
  socket: Socket;
}

/** The open connections of a server, HTTP/1.1 or HTTP/2, plain or TLS, so that a stop need not wait for idle ones. */
export class Connections {
  /** Requests running on each. */
  readonly #running = new Map<Socket, number>();
  readonly #sessions = new Set<Http2Session>();
  #closing = false;

  constructor(server: Server, isTls: boolean) {
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#running.set(socket, 0);
      socket.once('close', () => this.#running.delete(socket));
    });
    server.on('session', (session: Http2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    server.on('request', ({ socket }: Request, response: NodeJS.EventEmitter) => {
      this.#count(socket, 1);
      response.once('close', () => this.#count(socket, -1));
    });
  }

  /** Ends connections as soon as nothing runs on them. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const session of this.#sessions) session.close();
    for (const [socket, running] of this.#running) {
      const isHttp2 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
      if (running === 0 && !isHttp2) socket.destroy();
    }
  }

  closeAll(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#running.keys()) socket.destroy();
  }

  #count(socket: Socket, change: number): void {
    const before = this.#running.get(socket);
    // An HTTP/2 request shows a stand-in for its socket, which is not among them; its session looks after itself.
    if (before === undefined) return;
    this.#running.set(socket, before + change);
    if (this.#closing && before + change === 0) socket.end();
  }
}
