import { once } from 'node:events';
import { createServer } from 'node:https';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listening } from '../support/listening.js';
import { selfSigned } from './self-signed.js';
import { call, cardOrder, serviceAt } from './support.js';

async function untrustedServer() {
  let requests = 0;
  const server = createServer(selfSigned(), (_request, response) => {
    requests += 1;
    response.end('{"id":"1","status":"paid"}');
  });
  const { port } = await listening(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `https://127.0.0.1:${String(port)}`, requests: () => requests };
}

test('a server with a certificate that is not trusted gets no card', async () => {
  const server = await untrustedServer();
  const result = await serviceAt(server.url).createCardOrder(cardOrder, call);
  expect(result).toEqual({ outcome: 'not_sent', reason: 'No connection: its certificate is not trusted.' });
  expect(server.requests()).toBe(0);
});

test('TLS is verified even where the environment turns that off', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const server = await untrustedServer();
  const service = serviceAt(server.url);
  expect(await service.createCardOrder(cardOrder, call)).toMatchObject({ outcome: 'not_sent' });
  expect(await service.readOrder('1', call)).toMatchObject({ outcome: 'not_sent' });
  expect(server.requests()).toBe(0);
});

test('the same server answers whoever does not verify, so the tests above prove something', async () => {
  const server = await untrustedServer();
  const trusting = new Agent({ connect: { rejectUnauthorized: false } });
  onTestFinished(() => trusting.destroy());
  const { statusCode } = await request(server.url, { dispatcher: trusting });
  expect(statusCode).toBe(200);
});
