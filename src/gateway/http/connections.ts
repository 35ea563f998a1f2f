import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { awaitsBody } from './close-unread.js';
import { networkOf } from './network.js';

/** Beyond this share of all connections, a new one has to take the place of another. */
const busyShare = 0.9;
/** How many requests of one connection may be without their whole answer. */
const mostPending = 16;

type Connection = {
  readonly socket: Socket;
  readonly network: string;
  /** The answers that are not yet given in full, in the order of their requests. */
  readonly pending: Set<ServerResponse>;
};

/**
 * Bounds the connections of a server. When nearly all are open, each new one takes the place of another of the network
 * that has most: one that is idle, that still sends, or that does not read its answer. Whoever does so closes only his
 * own, and the last connections are for networks other than the one that has over half of all.
 */
export function boundConnections(server: Server, max: number): void {
  // Beyond this, no network has one to spare, and a new one is refused.
  server.maxConnections = max;
  const open = new OpenConnections();
  const bySocket = new WeakMap<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const connection: Connection = { socket, network, pending: new Set() };
    bySocket.set(socket, connection);
    open.add(connection);
    socket.once('close', () => {
      open.delete(connection);
      closeQueued(connection);
    });
    if (open.count > max * busyShare) open.toClose(connection)?.socket.destroy();
  });
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = bySocket.get(socket);
    if (connection === undefined) return;
    connection.pending.add(response);
    open.update(connection);
    response.once('close', () => {
      connection.pending.delete(response);
      open.update(connection);
    });
    if (connection.pending.size > mostPending) socket.destroy();
  };
  // First of all, so that a request too many is not begun.
  for (const event of ['request', 'checkExpectation']) server.prependListener(event, onRequest);
}

/** Node closes the answer that is being sent with its connection, but not those behind it: who waits for that is told. */
function closeQueued({ pending }: Connection): void {
  for (const response of [...pending]) if (response.socket === null) response.emit('close');
}

/** Connections by network, those on which nothing is under way apart, each the longest first. */
class OpenConnections {
  readonly #networks = new Map<string, { idle: Set<Connection>; busy: Set<Connection> }>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(connection: Connection): void {
    const sockets = this.#networks.get(connection.network) ?? { idle: new Set(), busy: new Set() };
    this.#networks.set(connection.network, sockets);
    sockets.idle.add(connection);
    this.#count += 1;
  }

  delete(connection: Connection): void {
    const sockets = this.#networks.get(connection.network);
    if (sockets === undefined) return;
    if (sockets.idle.delete(connection) || sockets.busy.delete(connection)) this.#count -= 1;
    if (sizeOf(sockets) === 0) this.#networks.delete(connection.network);
  }

  /** After a request, or an answer. */
  update(connection: Connection): void {
    const { idle, busy } = this.#networks.get(connection.network) ?? {};
    const [from, to] = connection.pending.size > 0 ? [idle, busy] : [busy, idle];
    if (from?.delete(connection) === true) to?.add(connection);
  }

  /**
   * The one whose place the newest takes, which is no longer counted; the newest itself when its network has over half
   * of all and none to spare. Never one of a smaller network than its own.
   */
  toClose(newest: Connection): Connection | undefined {
    const found = this.#spare(newest) ?? this.#ofMajority(newest);
    if (found !== undefined) this.delete(found);
    return found;
  }

  #spare(newest: Connection): Connection | undefined {
    let found: Connection | undefined;
    let largest = sizeOf(this.#networks.get(newest.network)) - 1;
    for (const sockets of this.#networks.values()) {
      const size = sizeOf(sockets);
      if (size <= largest) continue;
      const spare = firstOther(sockets.idle, newest) ?? notAtWork(sockets.busy);
      if (spare === undefined) continue;
      found = spare;
      largest = size;
    }
    return found;
  }

  /** All others are at work: only a network that has over half of them loses one, and to itself none but the newest. */
  #ofMajority(newest: Connection): Connection | undefined {
    for (const [network, sockets] of this.#networks) {
      if (sizeOf(sockets) * 2 <= this.#count) continue;
      return network === newest.network ? newest : firstOther(sockets.busy, newest);
    }
    return undefined;
  }
}

function sizeOf(sockets: { idle: Set<Connection>; busy: Set<Connection> } | undefined): number {
  return sockets === undefined ? 0 : sockets.idle.size + sockets.busy.size;
}

function firstOther(connections: Iterable<Connection>, newest: Connection): Connection | undefined {
  for (const connection of connections) if (connection !== newest) return connection;
  return undefined;
}

/** One that still sends its request, or else one that leaves its answer unread. */
function notAtWork(busy: Iterable<Connection>): Connection | undefined {
  let unread: Connection | undefined;
  for (const connection of busy) {
    const [response] = connection.pending;
    if (response === undefined) continue;
    if (awaitsBody(response.req)) return connection;
    if (response.headersSent && response.writableLength > 0) unread ??= connection;
  }
  return unread;
}
