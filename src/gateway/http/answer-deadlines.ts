import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayApp } from '../app.js';
import type { GatewayLimits } from '../deps.js';
import { awaitsBody } from './close-unread.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long its whole answer may take, where that is rightly longer than `GatewayLimits.answerMs`. */
    answerMs?: number;
  }
}

/**
 * Closes the connection of an answer that has not left in full after its time, whoever holds it up: a client that reads
 * byte by byte is never silent for long.
 */
export function boundAnswers(app: GatewayApp, { answerMs }: GatewayLimits): void {
  /** Of answers to requests that came by a connection: one that was injected has none to close. */
  const timers = new WeakMap<ServerResponse, NodeJS.Timeout | undefined>();
  const closeAfter = (ms: number, response: ServerResponse) => {
    clearTimeout(timers.get(response));
    timers.set(
      response,
      setTimeout(() => response.req.socket.destroy(), ms),
    );
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    timers.set(response, undefined);
    // What is still to come of the request has a time of its own.
    const closeSoon = () => {
      closeAfter(answerMs, response);
    };
    if (awaitsBody(request)) request.once('end', closeSoon);
    else closeSoon();
    response.once('close', () => {
      clearTimeout(timers.get(response));
      request.off('end', closeSoon);
    });
  };
  // Not only by a hook: what the framework refuses by itself is answered, too.
  for (const event of ['request', 'checkExpectation']) app.server.prependListener(event, onRequest);
  app.addHook('onRequest', ({ routeOptions }, { raw }, done) => {
    const { answerMs: longer } = routeOptions.config;
    if (longer !== undefined && timers.get(raw) !== undefined) closeAfter(longer, raw);
    done();
  });
  app.addHook('onSend', ({ raw: request }, { raw }, _payload, done) => {
    if (timers.has(raw) && awaitsBody(request)) closeAfter(answerMs, raw);
    done();
  });
}
