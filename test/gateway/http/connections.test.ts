import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { boundConnections } from '../../../src/gateway/http/connections.js';
import { waiting } from '../../support/waiting.js';

const waits = 'GET /wait HTTP/1.1\r\nHost: a\r\n\r\n';
const isAnswered = 'GET /now HTTP/1.1\r\nHost: a\r\n\r\n';
const stillSends = 'POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';
const doesNotRead = 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n';

/** A server of at most ten connections, of which nine are nearly all. It answers /now, and /large, never /wait. */
async function smallServer() {
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    if (request.url === '/now') response.end();
    if (request.url === '/large') response.end(Buffer.alloc(64 * 1_024 * 1_024));
  });
  boundConnections(server, 10);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  /** One more connection of this network, once the server has what it sends; and whether the server has closed it. */
  const opened = async (localAddress: string, sent = '') => {
    const taken = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const requested = sent === '' ? undefined : once(server, 'request');
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).write(sent);
    const own = await taken;
    await requested;
    return { isClosed: () => own.destroyed, socket };
  };
  const several = async (count: number, localAddress: string, sent?: string) => {
    const all = [];
    for (let i = 0; i < count; i += 1) all.push(await opened(localAddress, sent));
    return all;
  };
  return { opened, several, responses, server, port };
}

const closedOf = (connections: readonly { isClosed: () => boolean }[]): boolean[] =>
  connections.map(({ isClosed }) => isClosed());

test('a new connection takes the place of one that is idle, then of one that still sends, then of one that does not read', async () => {
  const { opened, several } = await smallServer();
  const atWork = await several(6, '127.0.0.1', waits);
  const unread = await opened('127.0.0.1', doesNotRead);
  const sending = await opened('127.0.0.1', stillSends);
  const idle = await opened('127.0.0.1');
  const others = [unread, sending, idle];

  const newest = await opened('127.0.0.2');
  expect(closedOf(others)).toEqual([false, false, true]);
  await opened('127.0.0.2');
  expect(closedOf(others)).toEqual([false, true, true]);
  await opened('127.0.0.2');
  expect(closedOf(others)).toEqual([true, true, true]);
  // None but those at work is left there: the next one takes the place of another of its own network.
  expect(newest.isClosed()).toBe(false);
  await opened('127.0.0.2');
  expect(newest.isClosed()).toBe(true);
  expect(closedOf(atWork)).not.toContain(true);
});

test('when all are at work, a network with over half of them makes room for others, and not for itself', async () => {
  const { opened, several } = await smallServer();
  const atWork = await several(8, '127.0.0.1', waits);
  const other = await opened('127.0.0.2', waits);

  const oneMore = await opened('127.0.0.1');
  expect(oneMore.isClosed()).toBe(true);
  expect(closedOf(atWork)).not.toContain(true);

  const oneOther = await opened('127.0.0.2', waits);
  expect(closedOf(atWork)).toEqual([true, ...Array.from({ length: 7 }, () => false)]);
  expect(closedOf([other, oneOther])).toEqual([false, false]);
});

test('when all are at work and no network has over half of them, a new one is refused', async () => {
  const { opened, server, port } = await smallServer();
  const atWork = [];
  for (let network = 1; network <= 10; network += 1)
    atWork.push(await opened(`127.0.0.${String(network)}`, waits));
  const outcome = Promise.race([
    once(server, 'drop').then(() => 'refused'),
    once(server, 'connection').then(() => 'taken'),
  ]);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  expect(await outcome).toBe('refused');
  expect(closedOf(atWork)).not.toContain(true);
});

test('a network takes no place of one that has fewer connections', async () => {
  const { opened, several } = await smallServer();
  await several(4, '127.0.0.1', waits);
  await several(4, '127.0.0.3', waits);
  const idle = await opened('127.0.0.2');
  await opened('127.0.0.1');
  expect(idle.isClosed()).toBe(false);
});

test('of many connections that come at one moment, none is refused', async () => {
  const { server, port } = await smallServer();
  let refused = 0;
  server.on('drop', () => (refused += 1));
  let accepted = 0;
  server.on('connection', () => (accepted += 1));
  for (let sent = 0; sent < 100; sent += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
  }
  await vi.waitUntil(() => accepted + refused === 100, waiting);
  expect(refused).toBe(0);
});

test('a connection with a second answer to come is not idle when the first is given', async () => {
  const { opened, several } = await smallServer();
  const pipelined = await opened('127.0.0.1', isAnswered + waits);
  await once(pipelined.socket, 'data');
  const idle = await several(20, '127.0.0.1');
  expect(pipelined.isClosed()).toBe(false);
  expect(closedOf(idle).filter((isClosed) => isClosed)).toHaveLength(12);
});

test('sixteen requests of a connection may be without their answers, and no more', async () => {
  const { opened, responses } = await smallServer();
  const { isClosed, socket } = await opened('127.0.0.1', waits.repeat(16));
  await vi.waitUntil(() => responses.length === 16, waiting);
  expect(isClosed()).toBe(false);
  socket.write(waits);
  await vi.waitUntil(isClosed, waiting);
});

test('every answer closes with its connection, also one that is behind another', async () => {
  const { opened, responses } = await smallServer();
  const { socket } = await opened('127.0.0.1', waits.repeat(3));
  await vi.waitUntil(() => responses.length === 3, waiting);
  const closed = responses.map((response) => once(response, 'close'));
  socket.destroy();
  await Promise.all(closed);
});
