import type { IncomingMessage } from 'node:http';
import type { GatewayApp } from '../app.js';
import type { GatewayLimits } from '../deps.js';
import { awaitsBody } from './close-unread.js';
import { HttpError } from './http-error.js';
import { answerOn } from './problem-answers.js';

/**
 * Ends a request whose body comes too slowly: in each stretch of `requestMs` at least `bodyBytes` have to come, or the
 * rest of it. Of a large body the time follows its size, and nobody holds a connection by a byte now and then.
 */
export function boundSlowBodies(app: GatewayApp, { bodyBytes, requestMs }: GatewayLimits): void {
  app.server.prependListener('request', (request: IncomingMessage) => {
    if (!awaitsBody(request)) return;
    const { socket } = request;
    let before = socket.bytesRead;
    const timer = setInterval(() => {
      // What has come and was not read yet is no fault of its sender.
      const isSlow = socket.bytesRead - before < bodyBytes && request.readableLength === 0;
      before = socket.bytesRead;
      if (!awaitsBody(request)) end();
      else if (isSlow && socket.writable) answerOn(socket, tooSlow(bodyBytes, requestMs));
      // Who was answered, and goes on sending, is not waited for.
      else if (isSlow) socket.destroy();
    }, requestMs).unref();
    const end = () => {
      clearInterval(timer);
      socket.off('close', end);
    };
    // Of a request that is answered before its body has come, nothing more is heard.
    socket.once('close', end);
    request.once('end', end);
  });
}

function tooSlow(bytes: number, ms: number): HttpError {
  const bound = `in each ${String(ms / 1_000)} seconds at least ${String(Math.floor(bytes / 1_024))} KiB of it`;
  const detail = `The body came too slowly: ${bound}, or the rest, have to come. Nothing was done.`;
  return new HttpError(408, 'timeout', 'Request timeout', detail);
}
