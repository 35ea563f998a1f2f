import type { FastifyReply, FastifyRequest } from 'fastify';
import { AtOnce } from './at-once.js';
import { networkOf } from './network.js';
import { whenOver } from './work.js';

/** Whom a request counts for: its API key, or the network that it comes from without one. */
export function countsFor({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string {
  return caller === null ? `address ${networkOf(ip)}` : `key ${caller.name}`;
}

/** Bounds what each API key, or each network without one, is sending at a time: requests, or their bytes. */
export class InFlight {
  readonly #atOnce: AtOnce;

  constructor(most: number) {
    this.#atOnce = new AtOnce(most);
  }

  /**
   * Counts a request until it is over, also for its handler, or until the function that is returned is called. Returns
   * null when its caller would have more than the most in flight.
   */
  take(request: FastifyRequest, reply: FastifyReply, amount = 1): (() => void) | null {
    const release = this.#atOnce.take(countsFor(request), amount);
    if (release !== null) whenOver(request, reply, release);
    return release;
  }
}
