import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { awaitsBody } from './close-unread.js';
import { networkOf } from './network.js';

/** Beyond this share of all connections, idle ones are closed to make room for new ones. */
const busyShare = 0.9;

/**
 * Bounds the connections of a server. When nearly all are open, each new one takes the place of the one that has been
 * idle longest among those of the address that has most of them: whoever only opens connections, or sends half a
 * request on them, closes only his own.
 */
export function boundConnections(server: Server, max: number): void {
  // Beyond this, all of them are at work, and a new one is refused.
  server.maxConnections = max;
  let open = 0;
  const idle = new IdleConnections();
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    open += 1;
    idle.add(address, socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(address, socket);
    });
    if (open > max * busyShare) idle.longestOfMost(socket)?.destroy();
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const address = networkOf(socket.remoteAddress ?? '');
    // Who still sends is not at work yet.
    if (awaitsBody(request)) request.once('end', () => idle.delete(address, socket));
    else idle.delete(address, socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(address, socket);
    });
  });
}

/** Connections on which nothing is under way, by address, the longest idle first. */
class IdleConnections {
  readonly #byAddress = new Map<string, Set<Socket>>();

  add(address: string, socket: Socket): void {
    const sockets = this.#byAddress.get(address) ?? new Set();
    sockets.add(socket);
    this.#byAddress.set(address, sockets);
  }

  delete(address: string, socket: Socket): void {
    const sockets = this.#byAddress.get(address);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#byAddress.delete(address);
  }

  /** Another than this one. */
  longestOfMost(newest: Socket): Socket | undefined {
    let most = new Set<Socket>();
    for (const sockets of this.#byAddress.values()) if (sockets.size > most.size) most = sockets;
    for (const socket of most) if (socket !== newest) return socket;
    return undefined;
  }
}
