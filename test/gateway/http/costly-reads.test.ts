import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { CardStore } from '../../../src/card-store/card-store.js';
import { createGateway } from '../../../src/gateway/create-gateway.js';
import { neverOverloaded } from '../../support/never-overloaded.js';

const keys = { ana: 'operator-key-0123456789', ben: 'operator-key-9876543210' };

/** A gateway whose Temporal takes connections and answers nothing; counts how often metrics are written down. */
async function startGateway() {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const connection = Connection.lazy({ address: `127.0.0.1:${String(port)}` });
  const written = { times: 0 };
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-of-costly-reads'),
    apiKeys: Object.entries(keys).map(([name, key]) => ({ name, key, scopes: ['oms', 'operator'] })),
    ...{ postbackKeys: [Buffer.alloc(32, 3)], taskQueue: 'none' },
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    sdkMetrics: () => {
      written.times += 1;
      return Promise.resolve('');
    },
    limits: { ...neverOverloaded, temporalCallMs: 3_000 },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await app.close();
    await connection.close();
    silent.close();
  });
  const statusOf = async (path: string, key: string) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  return { statusOf, written };
}

test('a key has the payouts of four batches counted at a time, whoever else asks and for whatever', async () => {
  const { statusOf } = await startGateway();
  const path = '/v1/payout-batches/one';
  const counted = Array.from({ length: 6 }, () => statusOf(`${path}?payouts=true`, keys.ana));
  const others = [statusOf(`${path}?payouts=true`, keys.ben), statusOf(path, keys.ana)];
  expect((await Promise.all(counted)).toSorted()).toEqual([429, 429, 503, 503, 503, 503]);
  expect(await Promise.all(others)).toEqual([503, 503]);
});

test('metrics are written down once for all who ask within a second', async () => {
  const { statusOf, written } = await startGateway();
  await Promise.all(Array.from({ length: 50 }, () => statusOf('/metrics', keys.ana)));
  expect(written.times).toBeGreaterThan(0);
  expect(written.times).toBeLessThan(5);
});
