import { setTimeout as sleep } from 'node:timers/promises';
import { costOf, isQuiet, readsMade } from '../history-cost.mjs';
import { cardOrder, pixPayout } from '../../drills/requests.mjs';

const samples = 5;
const aMinute = 60;

/** The watch stays open, and every timer that no longer matters has fired: as event-budget.server.test.ts counts. */
async function costs(bench, start) {
  const readsBefore = await readsOfPayments(bench);
  const all = await Promise.all(
    Array.from({ length: samples }, async () => {
      const workflowId = await start(bench.freshCode());
      await until(bench, workflowId, (events) => isQuiet(events, aMinute));
      return costOf(bench.client, workflowId);
    }),
  );
  const reads = ((await readsOfPayments(bench)) - readsBefore) / samples;
  return all.map((cost) => ({ ...cost, reads }));
}

/** How many reads of single payments the service has answered, those of creating calls too. */
async function readsOfPayments(bench) {
  const { calls } = await bench.http('sandbox', 'GET', '/sandbox/ledger');
  return (calls['GET /v1/payout/{id}'] ?? 0) + (calls['GET /v1/order/{id}'] ?? 0);
}

/** Looks at the history: a query that meets a read may cost a task. */
async function until(bench, workflowId, holds) {
  const handle = bench.client.workflow.getHandle(workflowId);
  while (!holds((await handle.fetchHistory()).events ?? [])) await sleep(100);
}

const hasRead = (bench, workflowId, reads) =>
  until(bench, workflowId, (events) => readsMade(events) >= reads);

/** The call that creates it reads it as done. */
const payoutAtOnce = (bench) => async (code) => {
  await bench.http('usual', 'POST', '/v1/payouts/pix', pixPayout(code, { tags: ['postback-silent'] }));
  return `payout-${code}`;
};

/** It is done once its creating call has answered, and before its first read. */
const silentPayout = (bench) => async (code) => {
  const tags = ['stuck', 'postback-silent'];
  await bench.http('usual', 'POST', '/v1/payouts/pix', pixPayout(code, { tags }));
  await hasRead(bench, `payout-${code}`, 0);
  await bench.setStatus('payouts', code, 'done');
  return `payout-${code}`;
};

/** As a service that takes its time: what comes before the answer to the submission costs less. */
const payout = (bench) => async (code) => {
  await bench.http('usual', 'POST', '/v1/payouts/pix', pixPayout(code, { tags: ['stuck'] }));
  await hasRead(bench, `payout-${code}`, 0);
  await bench.setStatus('payouts', code, 'processing');
  await sleep(500);
  await bench.setStatus('payouts', code, 'done');
  return `payout-${code}`;
};

const order = (bench) => async (code) => {
  await bench.http('usual', 'POST', '/v1/orders/card', cardOrder(code, { tags: ['stuck'] }));
  await hasRead(bench, `order-${code}`, 0);
  await bench.setStatus('orders', code, 'paid');
  await hasRead(bench, `order-${code}`, 1);
  await bench.setStatus('orders', code, 'compensated');
  return `order-${code}`;
};

/** What a payment leaves in Temporal, of a few payments. */
export const histories = {
  name: 'histories',
  title: 'events, tasks, actions and bytes',
  isOnce: true,
  run: async (bench) => ({
    histories: {
      'payout that is done at once': await costs(bench, payoutAtOnce(bench)),
      'payout without postbacks': await costs(bench, silentPayout(bench)),
      'payout with two postbacks': await costs(bench, payout(bench)),
      'card order with two postbacks': await costs(bench, order(bench)),
    },
  }),
};
