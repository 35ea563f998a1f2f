import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { CardStore } from '../../../src/card-store/card-store.js';
import { createGateway } from '../../../src/gateway/create-gateway.js';
import { neverOverloaded } from '../../support/never-overloaded.js';

const keys = { ana: 'operator-key-0123456789', ben: 'operator-key-9876543210' };
type Caller = keyof typeof keys;

/** A gateway whose Temporal takes connections and answers nothing, until it is gone. */
async function startGateway() {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).resume());
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const connection = Connection.lazy({ address: `127.0.0.1:${String(port)}` });
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-of-costly-reads'),
    apiKeys: Object.entries(keys).map(([name, key]) => ({ name, key, scopes: ['oms', 'operator'] })),
    ...{ postbackKeys: [Buffer.alloc(32, 3)], taskQueue: 'none' },
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    limits: { ...neverOverloaded, temporalCallMs: 3_000 },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const gone = () => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    gone();
    await app.close();
    await connection.close();
  });
  const read = async (caller: Caller, query = '?payouts=true') => {
    const headers = { authorization: `Bearer ${keys[caller]}` };
    const answer = await fetch(`${url}/v1/payout-batches/one${query}`, { headers });
    const { status } = answer;
    return { status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
  };
  return { read, gone };
}

test('a key reads four batches with their payouts at a time, whoever else reads and whatever', async () => {
  const { read, gone } = await startGateway();
  const reads = Array.from({ length: 4 }, () => read('ana'));
  const fifth = read('ana');
  // Temporal answers none of them: whichever is answered first is the one that was too many.
  const first = await Promise.race([...reads, fifth]);
  expect(first).toMatchObject({ status: 429, retryAfter: '1' });
  expect(first.text).toContain('too-many-batches');
  const others = [read('ben'), read('ana', ''), read('ana', '?payouts=false')];
  gone();
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();
  expect(statuses(await Promise.all([...reads, fifth]))).toEqual([429, 503, 503, 503, 503]);
  expect(statuses(await Promise.all(others))).toEqual([503, 503, 503]);

  // What is over no longer counts.
  expect((await read('ana')).status).toBe(503);
});
