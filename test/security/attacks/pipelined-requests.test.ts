import { expect, onTestFinished, test } from 'vitest';
import { omsKey } from '../../gateway/call.js';
import { gatewayWithoutTemporal, ownGateway } from '../../support/gateway-without-temporal.js';
import { closed, connections } from '../support/sockets.js';

/** None but what a test sets closes a connection: nobody is too long idle. */
const patient = { idleMs: 600_000, keepAliveMs: 600_000, requestMs: 600_000 };
const bundle = '/docs/static/swagger-ui-bundle.js';

test('of a thousand requests on one connection no more than sixteen are begun', async () => {
  // Temporal is away: what gets so far stays.
  const { app, listen, close } = gatewayWithoutTemporal({ limits: patient });
  const read = `GET /v1/payouts/unknown HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${omsKey}\r\n\r\n`;
  let begun = 0;
  app.addHook('preHandler', (_request, _reply, done) => {
    begun += 1;
    done();
  });
  onTestFinished(close);
  const url = await listen();
  const [socket] = connections(url, 1, read.repeat(1_000));
  await closed(socket);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // The one that has just been answered was begun, too.
  expect(begun).toBeLessThanOrEqual(17);
});

test('what shows no key has so many requests under way for each network', async () => {
  const { url } = await ownGateway({ limits: { ...patient, requestsAtOnceWithoutKey: 8 } });
  const each = (more: string) => `GET ${bundle} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  const [socket] = connections(url, 1, each('').repeat(15) + each('Connection: close\r\n'));
  const chunks: Buffer[] = [];
  socket?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closed(socket);
  const answers = Buffer.concat(chunks)
    .toString('latin1')
    .match(/HTTP\/1.1 \d+/g);
  expect(answers).toEqual([
    ...Array.from({ length: 8 }, () => 'HTTP/1.1 200'),
    ...Array.from({ length: 8 }, () => 'HTTP/1.1 429'),
  ]);
});
