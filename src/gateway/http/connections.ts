import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { awaitsBody } from './close-unread.js';

/** Beyond this part of all connections, those that nobody asks anything on make room for new ones. */
const crowdedPart = 0.9;

/**
 * Bounds the connections of a server. When it gets crowded, each new one takes the place of the one that has been
 * silent longest among those of the address that has most of them: whoever only opens connections, or sends half a
 * request on them, pushes out himself.
 */
export function boundConnections(server: Server, max: number): void {
  // Beyond this, all of them are at work, and a new one is refused.
  server.maxConnections = max;
  let open = 0;
  const silent = new SilentConnections();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    open += 1;
    silent.add(address, socket);
    socket.once('close', () => {
      open -= 1;
      silent.delete(address, socket);
    });
    if (open > max * crowdedPart) silent.longestOfMost(socket)?.destroy();
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const address = socket.remoteAddress ?? '';
    // Who still sends is not at work yet.
    if (awaitsBody(request)) request.once('end', () => silent.delete(address, socket));
    else silent.delete(address, socket);
    response.once('close', () => {
      if (!socket.destroyed) silent.add(address, socket);
    });
  });
}

/** Connections on which nothing is under way, by address, the longest silent first. */
class SilentConnections {
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
