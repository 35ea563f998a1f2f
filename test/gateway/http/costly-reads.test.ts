import type { Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CardStore } from '../../../src/card-store/card-store.js';
import { createGateway } from '../../../src/gateway/create-gateway.js';
import { neverOverloaded } from '../../support/never-overloaded.js';
import { waiting } from '../../support/waiting.js';

const keys = { ana: 'operator-key-0123456789', ben: 'operator-key-9876543210' };
type Caller = keyof typeof keys;

/** A gateway whose Temporal answers nothing, until it is gone. */
async function startGateway() {
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  let gone = (): void => undefined;
  const isGone = new Promise<void>((resolve) => (gone = resolve));
  const away = { code: 14, details: 'It is gone.', metadata: new Map() };
  const unanswered = () => isGone.then(() => Promise.reject(Object.assign(new Error(away.details), away)));
  const calls = { describeWorkflowExecution: unanswered, queryWorkflow: unanswered };
  Object.assign(connection.workflowService, calls);
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-of-costly-reads'),
    apiKeys: Object.entries(keys).map(([name, key]) => ({ name, key, scopes: ['oms', 'operator'] })),
    ...{ postbackKeys: [Buffer.alloc(32, 3)], taskQueue: 'none' },
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    limits: neverOverloaded,
  });
  const clients = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    clients.add(socket.once('close', () => clients.delete(socket)));
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    gone();
    await app.close();
    await connection.close();
  });
  const read = async (caller: Caller, path: string, signal?: AbortSignal) => {
    const headers = { authorization: `Bearer ${keys[caller]}` };
    const answer = await fetch(url + path, { headers, ...(signal === undefined ? {} : { signal }) });
    const { status } = answer;
    return { status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
  };
  return { read, gone: () => gone(), clients };
}

const batch = '/v1/payout-batches/one';
const costly = [
  `${batch}?payouts=true`,
  '/v1/notifications?workflow_id=payout-one',
  '/v1/bulk-retries/one/report',
];
const [ofPayouts = '', ofNotifications = '', ofReport = ''] = costly;
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();

describe.for([
  ['four reads of payouts, notifications and reports', 4, [ofPayouts, ofNotifications, ofReport, ofPayouts]],
  ['twenty reads of batches', 20, [batch]],
] as const)('a key has %s under way', ([, most, paths]) => {
  const pathAt = (index: number) => paths[index % paths.length] ?? '';

  test('at a time, whoever else reads and whatever', async () => {
    const { read, gone } = await startGateway();
    const reads = Array.from({ length: most + 1 }, (_, index) => read('ana', pathAt(index)));
    // Temporal answers none of them: whichever is answered first is the one that was too many.
    const first = await Promise.race(reads);
    expect(first).toMatchObject({ status: 429, retryAfter: '1' });
    expect(first.text).toContain('too-many-reads');
    const others = [read('ben', pathAt(0)), read('ana', most === 4 ? batch : ofPayouts)];
    gone();
    expect(statuses(await Promise.all(reads))).toEqual([429, ...Array.from({ length: most }, () => 503)]);
    expect(statuses(await Promise.all(others))).toEqual([503, 503]);

    // What is over no longer counts.
    await vi.waitUntil(async () => (await read('ana', pathAt(0))).status === 503, waiting);
  });

  test('also when its client has left and Temporal is still asked', async () => {
    const { read, gone, clients } = await startGateway();
    const leaving = new AbortController();
    const reads = Array.from({ length: most + 1 }, (_, index) => read('ana', pathAt(index), leaving.signal));
    // One was too many, so the others have come in.
    expect(await Promise.race(reads)).toMatchObject({ status: 429 });
    leaving.abort();
    await Promise.allSettled(reads);
    await vi.waitUntil(() => clients.size <= 1, waiting);
    expect(await read('ana', pathAt(0))).toMatchObject({ status: 429, retryAfter: '1' });
    gone();
    await vi.waitUntil(async () => (await read('ana', pathAt(0))).status === 503, waiting);
  });
});
