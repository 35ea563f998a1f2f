import { describe, expect } from 'vitest';
import {
  cardOrder,
  freshCode,
  hostedCheckout,
  pixPayout,
  testCard,
  transferPayout,
} from '../support/requests.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { replay } from '../support/replayer.js';
import { test as base } from './support/nexus-stack.js';

const anotherKey = 'ana.lima@example.com';

const test = base
  /** A payout of the caller `oms`, whom a worker serves. */
  .extend('payout', async ({ deployment, oms }) => {
    const stopWorker = await deployment.startWorker();
    const code = freshCode();
    const { sandbox } = deployment;
    const isMade = (sent = code) =>
      sandbox.until(({ payouts }) => payouts.some(({ partner_code: made }) => made === sent));
    return {
      ...{ code, isMade, stopWorker, named: { kind: 'payout', partner_code: code } },
      /** Resolves once the service has made it. */
      start: async (request: object = pixPayout(code)) => {
        const answer = await oms.call('startPayout', request);
        await isMade();
        return answer;
      },
      shows: (status: string, sent = code) => {
        sandbox.setPayoutStatus(sent, status);
      },
      /** What the service has made of it, over all attempts. */
      made: () =>
        sandbox
          .ledger()
          .payouts.filter(({ partner_code: sent }) => sent === code || sent.startsWith(`${code}-r`))
          .map(({ status }) => status),
    };
  })
  /** Starts a workflow that awaits its outcome; answers that, and the workflow here that waits for it. */
  .extend('awaiting', ({ oms, payout, waiters }) => async () => {
    const awaited = await oms.start('awaitPayout', oms.endpoint, payout.code);
    await expect.poll(() => waiters(payout.code)).toHaveLength(1);
    const [waiter = ''] = await waiters(payout.code);
    return { awaited, waiter };
  });

describe('a payout of a caller in another namespace', () => {
  test('is started, awaited, retried with another key when it has failed, and awaited to its end', async ({
    oms,
    payout,
  }) => {
    const rent = await oms.start('payRent', oms.endpoint, pixPayout(payout.code), anotherKey);
    await payout.isMade();
    payout.shows('error');
    await payout.isMade(`${payout.code}-r2`);
    payout.shows('done', `${payout.code}-r2`);
    expect(await rent.result()).toMatchObject({ kind: 'payout', status: 'done', started_by: 'oms' });
    expect(payout.made()).toEqual(['error', 'done']);
  });

  test('is abandoned when it has failed, and is not sent again', async ({ oms, payout }) => {
    await payout.start();
    payout.shows('error');
    const { code: partner_code, named } = payout;
    expect(await oms.call('awaitOutcome', named)).toMatchObject({ answer: { attention: 'payout_failed' } });
    const abandoned = await oms.call('abandonPayout', { partner_code, reason: 'paid in cash' });
    expect(abandoned).toMatchObject({ answer: { status: 'abandoned' } });
    expect(await oms.call('awaitOutcome', named)).toMatchObject({ answer: { status: 'abandoned' } });
    const retried = await oms.call('retryPayout', { partner_code, reason: 'a test' });
    expect(retried).toMatchObject({ refused: { type: 'command-refused' } });
    expect(payout.made()).toEqual(['error']);
  });

  test('that is started again by another workflow is the same payout; by other fields a conflict, which names them', async ({
    oms,
    payout,
  }) => {
    const workflow_id = `payout-${payout.code}`;
    const request = transferPayout(payout.code);
    expect(await payout.start(request)).toEqual({ answer: { workflow_id, repeated: false } });
    const again = await oms.call('startPayout', request);
    expect(again).toEqual({ answer: { workflow_id, repeated: true } });
    const other = await oms.call('startPayout', { ...request, value: 99, account: '99999-9' });
    expect(other).toMatchObject({
      refused: { type: 'conflict', details: { difference: 'request', fields: ['account', 'value'] } },
    });
    expect(payout.made()).toEqual(['claimed']);
  });

  test('is awaited while no worker runs at all, until one is there again', async ({
    oms,
    deployment,
    payout,
  }) => {
    await payout.start();
    await payout.stopWorker();
    const awaited = await oms.start('awaitPayout', oms.endpoint, payout.code);
    payout.shows('done');
    await deployment.startWorker();
    expect(await awaited.result()).toBe('done');
  });
});

describe('an operation whose answer was lost', () => {
  test('is sent again by Temporal: a start pays once, a retry sends one attempt', async ({
    oms,
    nexus,
    payout,
  }) => {
    nexus.answers.lose('startPayout');
    const lost = nexus.answers.count;
    expect(await payout.start()).toMatchObject({ answer: { repeated: true } });
    payout.shows('error');
    await oms.call('awaitOutcome', payout.named);
    nexus.answers.lose('retryPayout');
    const retry = { partner_code: payout.code, corrections: { pix: anotherKey }, reason: 'wrong key' };
    expect(await oms.call('retryPayout', retry)).toHaveProperty('answer');
    await payout.isMade(`${payout.code}-r2`);
    payout.shows('done', `${payout.code}-r2`);
    expect(await oms.call('awaitOutcome', payout.named)).toMatchObject({ answer: { status: 'done' } });
    expect(nexus.answers.count).toBe(lost + 2);
    expect(payout.made()).toEqual(['error', 'done']);
  });

  test('is awaited once, however often Temporal sends it', async ({
    awaiting,
    deployment,
    nexus,
    payout,
    waiters,
  }) => {
    await payout.start();
    nexus.answers.lose('awaitOutcome');
    const { awaited, waiter } = await awaiting();
    payout.shows('done');
    expect(await awaited.result()).toBe('done');
    expect(await waiters(payout.code)).toEqual([waiter]);
    const { events } = await deployment.server.client.workflow.getHandle(waiter).fetchHistory();
    expect(events?.filter((event) => event.activityTaskScheduledEventAttributes != null)).toHaveLength(1);
    expect(events?.filter((event) => event.workflowTaskCompletedEventAttributes != null)).toHaveLength(2);
  });
});

describe('a start is refused, and nothing is sent', () => {
  test('when a field is wrong: the field is named, and Temporal does not try again', async ({
    oms,
    deployment,
  }) => {
    const code = freshCode();
    const input = { ...pixPayout(code), value: 0, poll_scale: 2 };
    const refused = await oms.call('startPayout', input);
    expect(refused).toMatchObject({ refused: { type: 'invalid-request' } });
    const fields = expect.arrayContaining([
      expect.objectContaining({ field: 'value' }),
      { field: 'poll_scale', message: 'is not known here' },
    ]) as unknown;
    expect(refused).toHaveProperty('refused.details', { errors: fields });
    expect(deployment.sandbox.ledger(code).payouts).toEqual([]);
  });

  test('when it holds a card: the field is named, and what to send instead', async ({ oms, deployment }) => {
    const code = freshCode();
    const refused = await oms.call('startCardOrder', { ...cardOrder(code), credit_card: testCard });
    expect(refused).toMatchObject({
      refused: { type: 'invalid-request', message: expect.stringContaining('POST /v1/cards') as unknown },
    });
    expect(refused).toHaveProperty('refused.details.errors.0.field', 'credit_card');
    expect(JSON.stringify(refused)).not.toContain(testCard.number);
    const hidden = await oms.call('startPayout', { ...pixPayout(code), last_name: testCard.number });
    expect(hidden).toHaveProperty('refused.details.errors.0.field', 'last_name');
    expect(deployment.sandbox.ledger(code).orders).toEqual([]);
    await expect(deployment.server.client.workflow.getHandle(`order-${code}`).describe()).rejects.toThrow();
  });
});

test('an order waits for its card at a gateway, and is refused a card reference that no gateway gives', async ({
  oms,
  deployment,
}) => {
  await deployment.startWorker();
  const code = freshCode();
  const card = { card_ref: 'a-token', task_queue: 'payments' };
  const refused = await oms.call('startCardOrder', { ...cardOrder(code), card });
  expect(refused).toMatchObject({ refused: { type: 'invalid-request' } });
  expect(await oms.call('startCardOrder', cardOrder(code))).toEqual({
    answer: { workflow_id: `order-${code}`, repeated: false },
  });
  expect(await oms.call('awaitOutcome', { kind: 'order', partner_code: code })).toMatchObject({
    answer: { status: 'awaiting_card', attention: 'awaiting_card' },
  });
});

test('a hosted checkout is awaited to a status on the way: the page that the customer pays on', async ({
  oms,
  deployment,
}) => {
  await deployment.startWorker();
  const code = freshCode();
  expect(await oms.call('startHostedCheckout', hostedCheckout(code))).toHaveProperty(
    'answer.repeated',
    false,
  );
  const statuses = ['waiting_payment'];
  const open = await oms.call('awaitOutcome', { kind: 'order', partner_code: code, statuses });
  expect(open).toMatchObject({ answer: { status: 'waiting_payment', attention: null } });
  expect(open).toHaveProperty('answer.checkout.url', expect.stringMatching(/^http/));
});

test('another caller sees and commands nothing of it, whatever it sends', async ({ oms, payout }) => {
  await payout.start();
  const command = { partner_code: payout.code, reason: 'a test' };
  for (const [operation, input] of [
    ['readPayment', payout.named],
    ['awaitOutcome', payout.named],
    ['retryPayout', command],
    ['abandonPayout', command],
  ] as const)
    expect(await oms.callAsShop(operation, input)).toMatchObject({ refused: { type: 'not-found' } });
  expect(await oms.callAsShop('startPayout', pixPayout(payout.code))).toMatchObject({
    refused: { type: 'conflict', details: { difference: 'owner', fields: [] } },
  });
  expect(await oms.call('readPayment', payout.named)).toMatchObject({ answer: { started_by: 'oms' } });
});

test('an outcome that is no longer awaited ends the wait, and nothing else', async ({
  awaiting,
  deployment,
  payout,
}) => {
  await payout.start();
  const { awaited, waiter } = await awaiting();
  await awaited.cancel();
  expect(await awaited.result()).toBe('no longer awaited');
  const { workflow } = deployment.server.client;
  const statusOf = async (id: string) => (await workflow.getHandle(id).describe()).status.name;
  await expect.poll(() => statusOf(waiter)).toBe('CANCELLED');
  expect(await statusOf(`payout-${payout.code}`)).toBe('RUNNING');
  const history = await workflow.getHandle(waiter).fetchHistory();
  expect(await replay(workflowBundle(), { workflowId: waiter, history })).toBeUndefined();
});

test('a token that names a payment, or what another caller awaits, cancels nothing', async ({
  awaiting,
  deployment,
  nexus,
  payout,
}) => {
  await payout.start();
  const { awaited, waiter } = await awaiting();
  const operation = nexus.handlerOf('shop').getOperationHandler('awaitOutcome');
  const context = {
    ...{ service: 'payments', operation: 'awaitOutcome', headers: {} },
    abortSignal: new AbortController().signal,
  };
  const token = (wid: string) =>
    Buffer.from(JSON.stringify({ t: 1, ns: deployment.server.namespace, wid })).toString('base64url');
  await operation.cancel(context, token(`payout-${payout.code}`));
  await expect(operation.cancel(context, token(waiter))).rejects.toMatchObject({ type: 'NOT_FOUND' });
  payout.shows('done');
  expect(await awaited.result()).toBe('done');
});
