import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayLimits } from '../../../src/gateway/deps.js';
import { boundAnswers } from '../../../src/gateway/http/answer-deadlines.js';

const held = 'GET /held HTTP/1.1\r\nHost: a\r\n\r\n';

/** A server whose answers have a moment, and one of them much longer; it answers when the test says so. */
async function hastyServer() {
  const app = Fastify({ forceCloseConnections: true }).withTypeProvider<ZodTypeProvider>();
  boundAnswers(app, { ...gatewayLimits, answerMs: 100, requestMs: 600_000 });
  let answer: () => void = () => undefined;
  const answered = new Promise<object>((resolve) => {
    answer = () => {
      resolve({});
    };
  });
  app.get('/held', () => answered);
  app.get('/longer', { config: { answerMs: 600_000 } }, () => answered);
  app.post('/held', () => answered);
  // More than the buffers of a connection hold.
  app.get('/large', () => Buffer.alloc(64 * 1_024 * 1_024));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const sends = async (sent: string, readsAll = true) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('error', () => undefined);
    if (readsAll) socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const arrived = once(app.server, 'request') as Promise<[{ socket: Socket }]>;
    socket.write(sent);
    const [{ socket: own }] = await arrived;
    return { socket, own, text: () => text };
  };
  return { answer: () => answer(), sends };
}

test('an answer that takes too long ends its connection, one that may take longer does not', async () => {
  const { answer, sends } = await hastyServer();
  const longer = await sends('GET /longer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const { socket, text } = await sends(held);
  await once(socket, 'close');
  expect(text()).toBe('');
  answer();
  await once(longer.socket, 'close');
  expect(longer.text()).toMatch(/^HTTP\/1.1 200 /);
});

test.each(['nothing of it', 'a byte of it at a time'])(
  'an answer whose client reads %s ends its connection after its time',
  async (what) => {
    const { sends } = await hastyServer();
    const { own, socket } = await sends('GET /large HTTP/1.1\r\nHost: a\r\n\r\n', false);
    let isOver = false;
    const ended = once(own, 'close').then(() => (isOver = true));
    while (!isOver && what !== 'nothing of it') {
      socket.read(1);
      await nextTurn();
    }
    await ended;
    expect(socket.bytesRead).toBeLessThan(64 * 1_024 * 1_024);
  },
);

test('what is still to come of a request has a time of its own', async () => {
  const { answer, sends } = await hastyServer();
  const type = 'Content-Type: application/json\r\nConnection: close\r\n';
  const slow = await sends(`POST /held HTTP/1.1\r\nHost: a\r\n${type}Content-Length: 2\r\n\r\n{`);
  const { socket } = await sends(held);
  await once(socket, 'close');
  answer();
  slow.socket.write('}');
  await once(slow.socket, 'close');
  expect(slow.text()).toMatch(/^HTTP\/1.1 200 /);
});
