import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GatewayApp } from '../app.js';

/**
 * Closes the connection of a request that is answered before its body has come: nobody waits for the rest of it. A
 * small body comes along with its headers, and then the connection is kept.
 */
export function closeUnread(app: GatewayApp): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (!awaitsBody(raw)) return;
    await nextTurn();
    if (awaitsBody(raw)) void reply.header('connection', 'close');
  });
}

/** Whether some of the body of a request is still to come. */
export function awaitsBody({ complete, headers }: IncomingMessage): boolean {
  const announced = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return announced && !complete;
}
