import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followWork, whenOver } from '../../../src/gateway/http/work.js';
import { waiting } from '../../support/waiting.js';

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** A server of one route whose requests wait before their handler, and in it, until the test lets them go on. */
async function startServer() {
  const seen = { arrived: 0, begun: 0, over: 0 };
  const [before, within] = [gate(), gate()];
  const app = Fastify();
  followWork(app);
  app.addHook('preHandler', async (request, reply) => {
    whenOver(request, reply, () => (seen.over += 1));
    seen.arrived += 1;
    await before.opened;
  });
  app.get('/', async () => {
    seen.begun += 1;
    await within.opened;
    return 'done';
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const sockets: Socket[] = [];
  app.server.on('connection', (socket: Socket) => sockets.push(socket));
  onTestFinished(() => app.close());
  const client = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  client.resume().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitUntil(() => seen.arrived === 1, waiting);
  const leave = async () => {
    client.destroy();
    for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
  };
  return { seen, leave, begin: before.open, end: within.open };
}

test('a request whose client has left is over when its handler has ended, and not before', async () => {
  const { seen, leave, begin, end } = await startServer();
  begin();
  await vi.waitUntil(() => seen.begun === 1, waiting);
  await leave();
  await new Promise(setImmediate);
  expect(seen.over).toBe(0);
  end();
  await vi.waitUntil(() => seen.over === 1, waiting);
});

test('for a client that has left before it nothing is begun, and its request is over', async () => {
  const { seen, leave, begin } = await startServer();
  await leave();
  begin();
  await vi.waitUntil(() => seen.over === 1, waiting);
  await new Promise(setImmediate);
  expect(seen.begun).toBe(0);
});
