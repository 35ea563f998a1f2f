import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './http-error.js';
import { InFlight } from './in-flight.js';

/** Bounds the reads of each key that take many calls of Temporal. */
export class CostlyReads {
  readonly #inFlight: InFlight;

  constructor(private readonly most: number) {
    this.#inFlight = new InFlight(most);
  }

  /** Counts a read until it is over. Call it first of all. @throws HttpError when its key has too many under way */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#inFlight.take(request, reply) === null) throw tooManyReads(this.most);
  }
}

function tooManyReads(most: number): HttpError {
  const detail = `This key has ${String(most)} reads of this sort under way already. Read again when they are answered.`;
  return new HttpError(429, 'too-many-reads', 'Too many reads at once', detail, { retryAfterSeconds: 1 });
}
