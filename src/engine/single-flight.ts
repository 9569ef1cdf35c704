import { CanceledError } from '../errors.js';

interface Flight<T> {
  result: Promise<T>;
  waiting: number;
  controller: AbortController;
}

/** Does the same work once for all who ask while it runs; it is canceled when the last of them has gone. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  async run(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new CanceledError();
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiting++;
    let leave: (() => void) | undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(new CanceledError());
      signal?.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([flight.result, left]);
    } finally {
      if (leave) signal?.removeEventListener('abort', leave);
      if (--flight.waiting === 0) {
        this.#remove(key, flight);
        flight.controller.abort();
      }
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = { result: work(controller.signal), waiting: 0, controller };
    flight.result.then(
      () => this.#remove(key, flight),
      () => this.#remove(key, flight),
    );
    this.#flights.set(key, flight);
    return flight;
  }

  #remove(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
