import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** What its handler does, until that has ended; null while it has not begun. */
    work: Promise<unknown> | null;
  }
}

/**
 * Knows of each request what its handler does: that goes on when the client has left. For a client that has left before,
 * nothing is begun: of a connection that was closed, Node still hands over the requests that have come along.
 */
export function followWork(app: FastifyInstance): void {
  app.decorateRequest('work', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (hasLeft(request, reply)) reply.hijack();
    else done();
  });
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      // While its body was read.
      if (hasLeft(request, reply)) return reply.hijack();
      const answer = handler.call(this, request, reply);
      request.work = Promise.resolve(answer).catch(() => undefined);
      return answer;
    };
  });
}

/** Calls back when a request is over: its answer or its client has gone, and its handler does nothing more. */
export function whenOver(request: FastifyRequest, reply: FastifyReply, over: () => void): void {
  reply.raw.once('close', () => {
    void Promise.resolve(request.work).then(over);
  });
}

/** Node takes the socket from a request whose body is not read to its end; the answer still has it. */
function hasLeft({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  const { socket }: { socket: Socket | null } = raw;
  return (socket ?? reply.raw.socket)?.destroyed === true;
}
