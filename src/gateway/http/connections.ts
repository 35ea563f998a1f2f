import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Beyond this part of all connections, those that nobody asks anything on make room for new ones. */
const crowdedPart = 0.9;

/**
 * Bounds the connections of a server. When it gets crowded, each new one takes the place of the one that has been
 * silent longest: whoever only opens connections, or sends half a request on them, pushes out himself.
 */
export function boundConnections(server: Server, max: number): void {
  // Beyond this, all of them are at work, and a new one is refused.
  server.maxConnections = max;
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
    const [longest] = silent;
    if (open.size > max * crowdedPart && longest !== undefined && longest !== socket) longest.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) silent.add(socket);
    });
  });
}
