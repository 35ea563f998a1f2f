import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { CardStore } from '../../../src/card-store/card-store.js';
import { createGateway } from '../../../src/gateway/create-gateway.js';
import { neverOverloaded } from '../../support/never-overloaded.js';

const operatorKey = 'operator-key-0123456789';

/** Where connections are taken, and nothing is ever answered. */
async function silentTemporal(): Promise<Connection> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = Connection.lazy({ address: `127.0.0.1:${String(port)}` });
  onTestFinished(async () => {
    await connection.close();
    server.close();
  });
  return connection;
}

test('the report of a bulk retry may take longer than any other answer', async () => {
  const app = createGateway({
    client: new Client({ connection: await silentTemporal() }),
    cardStore: new CardStore('card-store-of-reports'),
    apiKeys: [{ name: 'ana', key: operatorKey, scopes: ['oms', 'operator'] }],
    ...{ postbackKeys: [Buffer.alloc(32, 3)], taskQueue: 'none' },
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    limits: { ...neverOverloaded, answerMs: 200, temporalCallMs: 1_000 },
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  // Both wait for Temporal for longer than an answer may take.
  const headers = { authorization: `Bearer ${operatorKey}` };
  const [state, report] = await Promise.allSettled([
    fetch(`${url}/v1/bulk-retries/one`, { headers }),
    fetch(`${url}/v1/bulk-retries/one/report`, { headers }),
  ]);
  expect(state.status).toBe('rejected');
  expect(report.status === 'fulfilled' ? report.value.status : report.reason).toBe(503);
});
