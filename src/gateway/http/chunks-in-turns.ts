import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GatewayApp } from '../app.js';

/**
 * Reads bodies that come in chunks (`Transfer-Encoding: chunked`) a little in each turn of the event loop: each chunk
 * costs time, however short it is, and 64 KiB in chunks of one byte are 65,536 of them.
 */
export function readChunksInTurns(app: GatewayApp): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    done(null, isChunked ? Readable.from(inTurns(payload), { objectMode: false }) : payload);
  });
}

/** While it waits for the next turn, no more than what a stream holds is taken from the socket. */
async function* inTurns(payload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunks of payload) {
    yield chunks;
    await nextTurn();
  }
}
