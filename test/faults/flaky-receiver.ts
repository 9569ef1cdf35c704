import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const moods = ['well', 'well', 'slow', 'failing', 'cut off', 'away'] as const;
type Mood = (typeof moods)[number];

export interface ReceivedEvent {
  path: string;
  eventId: string;
  signature: string;
  body: string;
  at: number;
}

/** A webhook receiver that is slow, failing, cut off, away and back, by turns. */
export class FlakyReceiver {
  readonly received: ReceivedEvent[] = [];
  #mood: Mood = 'well';
  #server: Server | undefined;
  #port = 0;
  #moving = false;

  async start(): Promise<void> {
    await this.#listen();
    this.#moving = true;
    void this.#live();
  }

  /** From here on it is well. */
  async settle(): Promise<void> {
    this.#moving = false;
    await sleep(1200);
    this.#mood = 'well';
    if (!this.#server) await this.#listen();
  }

  close(): void {
    this.#moving = false;
    this.#leave();
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.#port}/${path}`;
  }

  async #live(): Promise<void> {
    while (this.#moving) {
      this.#mood = moods[Math.floor(Math.random() * moods.length)]!;
      if (this.#mood === 'away') this.#leave();
      await sleep(200 + Math.random() * 800);
      if (!this.#server) await this.#listen();
    }
  }

  #leave(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#server = undefined;
  }

  async #listen(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const header = (name: string) => String(request.headers[name]);
        this.received.push({
          path: (request.url ?? '').slice(1),
          eventId: header('x-service-event-id'),
          signature: header('x-service-signature'),
          body: Buffer.concat(chunks).toString('utf8'),
          at: Date.now(),
        });
        if (this.#mood === 'cut off') response.socket?.destroy();
        else if (this.#mood === 'failing') response.writeHead(500).end();
        else if (this.#mood === 'slow') setTimeout(() => response.end(), Math.random() * 2000);
        else response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }
}
