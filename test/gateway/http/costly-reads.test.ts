import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { gatewayBeforeSilence } from '../../support/gateway-without-temporal.js';
import { waiting } from '../../support/waiting.js';

const keys = { ana: 'operator-key-0123456789', ben: 'operator-key-9876543210' };
type Caller = keyof typeof keys;
const apiKeys = Object.entries(keys).map(([name, key]) => ({
  ...{ name, key },
  scopes: ['oms', 'operator'] as const,
}));

/** A gateway whose Temporal answers nothing until it is gone. */
async function startGateway(answerMs = 75_000) {
  const { app, gone, url } = await gatewayBeforeSilence({ apiKeys, limits: { answerMs } });
  const clients = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    clients.add(socket.once('close', () => clients.delete(socket)));
  });
  const read = async (caller: Caller, path: string, signal: AbortSignal | null = null) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${keys[caller]}` }, signal });
    const { status } = answer;
    return { status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
  };
  return { read, gone, clients };
}

const batch = '/v1/payout-batches/one';
const ofPayouts = `${batch}?payouts=true`;
const ofNotifications = '/v1/notifications?workflow_id=payout-one';
const ofReport = '/v1/bulk-retries/one/report';
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

test('the report of a bulk retry may take longer than any other answer', async () => {
  const { read, gone } = await startGateway(200);
  const report = read('ana', ofReport);
  await expect(read('ana', '/v1/bulk-retries/one')).rejects.toThrow();
  gone();
  expect(await report).toMatchObject({ status: 503 });
});
