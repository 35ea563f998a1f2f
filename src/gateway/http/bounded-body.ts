import { errorCodes } from 'fastify';

/** The body of a request as it comes. */
export type Body = AsyncIterable<Uint8Array>;

/** Refuses what is longer as soon as it is: Fastify bounds only what it reads itself. */
export async function* bounded(body: Body, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    yield chunk;
  }
}
