import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './network.js';

/** Bounds what each API key, or each address without one, is sending at a time: requests, or their bytes. */
export class InFlight {
  readonly #byCaller = new Map<string, number>();

  constructor(private readonly most: number) {}

  /**
   * Counts a request until it is over, or until the function that is returned is called. Returns null when its caller
   * would have more than the most in flight.
   */
  take({ caller, ip }: FastifyRequest, reply: FastifyReply, amount = 1): (() => void) | null {
    const name = caller?.name ?? `address ${networkOf(ip)}`;
    const count = this.#byCaller.get(name) ?? 0;
    if (count + amount > this.most) return null;
    this.#byCaller.set(name, count + amount);
    let counts = true;
    const release = () => {
      if (!counts) return;
      counts = false;
      const left = (this.#byCaller.get(name) ?? amount) - amount;
      if (left > 0) this.#byCaller.set(name, left);
      else this.#byCaller.delete(name);
    };
    reply.raw.once('close', release);
    return release;
  }
}
