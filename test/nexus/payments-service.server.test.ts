import { describe, expect } from 'vitest';
import { cardOrder, freshCode, pixPayout, testCard, transferPayout } from '../support/requests.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { replay } from '../support/replayer.js';
import type { Deployment } from '../support/deployment.js';
import { test } from './support/nexus-stack.js';

const anotherKey = 'ana.lima@example.com';

/** What the service has made of a payout, over all attempts. */
const made = ({ sandbox }: Pick<Deployment, 'sandbox'>, code: string) =>
  sandbox
    .ledger()
    .payouts.filter(({ partner_code: sent }) => sent === code || sent.startsWith(`${code}-r`))
    .map(({ status }) => status);

const madeOnce = ({ sandbox }: Pick<Deployment, 'sandbox'>, code: string) =>
  sandbox.until(({ payouts }) => payouts.some(({ partner_code: sent }) => sent === code));

describe('a payout of a caller in another namespace', () => {
  test('is started, awaited, retried with another key when it has failed, and awaited to its end', async ({
    oms,
    deployment,
  }) => {
    await deployment.startWorker();
    const code = freshCode();
    const rent = await oms.start('payRent', oms.endpoint, pixPayout(code), anotherKey);
    await madeOnce(deployment, code);
    deployment.sandbox.setPayoutStatus(code, 'error');
    await madeOnce(deployment, `${code}-r2`);
    deployment.sandbox.setPayoutStatus(`${code}-r2`, 'done');
    expect(await rent.result()).toMatchObject({ kind: 'payout', status: 'done', started_by: 'oms' });
    expect(made(deployment, code)).toEqual(['error', 'done']);
  });

  test('is abandoned when it has failed, and is not sent again', async ({ oms, deployment }) => {
    await deployment.startWorker();
    const code = freshCode();
    await oms.call('startPayout', pixPayout(code));
    await madeOnce(deployment, code);
    deployment.sandbox.setPayoutStatus(code, 'error');
    const payout = { kind: 'payout', partner_code: code };
    expect(await oms.call('awaitOutcome', payout)).toMatchObject({ answer: { attention: 'payout_failed' } });
    const abandoned = await oms.call('abandonPayout', { partner_code: code, reason: 'paid in cash' });
    expect(abandoned).toMatchObject({ answer: { status: 'abandoned' } });
    expect(await oms.call('awaitOutcome', payout)).toMatchObject({ answer: { status: 'abandoned' } });
    const retried = await oms.call('retryPayout', { partner_code: code, reason: 'a test' });
    expect(retried).toMatchObject({ refused: { type: 'command-refused' } });
    expect(made(deployment, code)).toEqual(['error']);
  });

  test('that is started again by another workflow is the same payout', async ({ oms, deployment }) => {
    await deployment.startWorker();
    const code = freshCode();
    const workflow_id = `payout-${code}`;
    const first = await oms.call('startPayout', transferPayout(code));
    const again = await oms.call('startPayout', transferPayout(code));
    expect([first, again]).toEqual([
      { answer: { workflow_id, repeated: false } },
      { answer: { workflow_id, repeated: true } },
    ]);
    await madeOnce(deployment, code);
    expect(made(deployment, code)).toEqual(['claimed']);
  });

  test('is awaited while no worker runs at all, until one is there again', async ({ oms, deployment }) => {
    const stop = await deployment.startWorker();
    const code = freshCode();
    await oms.call('startPayout', pixPayout(code));
    await madeOnce(deployment, code);
    await stop();
    const awaited = await oms.start('awaitPayout', oms.endpoint, code);
    deployment.sandbox.setPayoutStatus(code, 'done');
    await deployment.startWorker();
    expect(await awaited.result()).toBe('done');
  });
});

describe('an operation whose answer was lost', () => {
  test('is sent again by Temporal: a start pays once, a retry sends one attempt', async ({
    oms,
    deployment,
    nexus,
  }) => {
    await deployment.startWorker();
    const code = freshCode();
    nexus.answers.lose('startPayout');
    const lost = nexus.answers.count;
    expect(await oms.call('startPayout', pixPayout(code))).toMatchObject({ answer: { repeated: true } });
    await madeOnce(deployment, code);
    deployment.sandbox.setPayoutStatus(code, 'error');
    await oms.call('awaitOutcome', { kind: 'payout', partner_code: code });
    nexus.answers.lose('retryPayout');
    const retried = await oms.call('retryPayout', {
      ...{ partner_code: code, corrections: { pix: anotherKey }, reason: 'wrong key' },
    });
    expect(retried).toHaveProperty('answer');
    await madeOnce(deployment, `${code}-r2`);
    deployment.sandbox.setPayoutStatus(`${code}-r2`, 'done');
    expect(await oms.call('awaitOutcome', { kind: 'payout', partner_code: code })).toMatchObject({
      answer: { status: 'done' },
    });
    expect(nexus.answers.count).toBe(lost + 2);
    expect(made(deployment, code)).toEqual(['error', 'done']);
  });

  test('is awaited once, however often Temporal sends it', async ({ oms, deployment, nexus, waiters }) => {
    await deployment.startWorker();
    const code = freshCode();
    await oms.call('startPayout', pixPayout(code));
    await madeOnce(deployment, code);
    nexus.answers.lose('awaitOutcome');
    const awaited = await oms.start('awaitPayout', oms.endpoint, code);
    await expect.poll(() => waiters(code)).toHaveLength(1);
    deployment.sandbox.setPayoutStatus(code, 'done');
    expect(await awaited.result()).toBe('done');
    const [waiter = '', ...others] = await waiters(code);
    expect(others).toEqual([]);
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
    expect(made(deployment, code)).toEqual([]);
  });

  test('when another payout has the code: the fields that differ are named', async ({ oms, deployment }) => {
    await deployment.startWorker();
    const code = freshCode();
    await oms.call('startPayout', pixPayout(code));
    const other = await oms.call('startPayout', { ...pixPayout(code), value: 99, pix: anotherKey });
    expect(other).toMatchObject({
      refused: { type: 'conflict', details: { difference: 'request', fields: ['pix', 'value'] } },
    });
    await madeOnce(deployment, code);
    expect(made(deployment, code)).toEqual(['claimed']);
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
  const { order, customer } = cardOrder(code);
  const { installments: _none, ...checkout } = order;
  const input = { order: { ...checkout, redirect_url: 'https://shop.example.com/thanks' }, customer };
  expect(await oms.call('startHostedCheckout', input)).toHaveProperty('answer.repeated', false);
  const statuses = ['waiting_payment'];
  const open = await oms.call('awaitOutcome', { kind: 'order', partner_code: code, statuses });
  expect(open).toMatchObject({ answer: { status: 'waiting_payment', attention: null } });
  expect(open).toHaveProperty('answer.checkout.url', expect.stringMatching(/^http/));
});

test('another caller sees and commands nothing of it, whatever it sends', async ({ oms, deployment }) => {
  await deployment.startWorker();
  const code = freshCode();
  await oms.call('startPayout', pixPayout(code));
  const payout = { kind: 'payout', partner_code: code };
  const notFound = { refused: { type: 'not-found' } };
  expect(await oms.callAsShop('readPayment', payout)).toMatchObject(notFound);
  expect(await oms.callAsShop('awaitOutcome', payout)).toMatchObject(notFound);
  expect(await oms.callAsShop('retryPayout', { partner_code: code, reason: 'a test' })).toMatchObject(
    notFound,
  );
  expect(await oms.callAsShop('abandonPayout', { partner_code: code, reason: 'a test' })).toMatchObject(
    notFound,
  );
  expect(await oms.callAsShop('startPayout', pixPayout(code))).toMatchObject({
    refused: { type: 'conflict', details: { difference: 'owner', fields: [] } },
  });
  expect(await oms.call('readPayment', payout)).toMatchObject({ answer: { started_by: 'oms' } });
});

test('an outcome that is no longer awaited ends the wait, and nothing else', async ({
  oms,
  deployment,
  waiters,
}) => {
  await deployment.startWorker();
  const code = freshCode();
  await oms.call('startPayout', pixPayout(code));
  await madeOnce(deployment, code);
  const awaited = await oms.start('awaitPayout', oms.endpoint, code);
  await expect.poll(() => waiters(code)).toHaveLength(1);
  await awaited.cancel();
  expect(await awaited.result()).toBe('no longer awaited');
  const { client } = deployment.server;
  const [waiter = ''] = await waiters(code);
  await expect
    .poll(async () => (await client.workflow.getHandle(waiter).describe()).status.name)
    .toBe('CANCELLED');
  expect((await client.workflow.getHandle(`payout-${code}`).describe()).status.name).toBe('RUNNING');
  const history = await client.workflow.getHandle(waiter).fetchHistory();
  expect(await replay(workflowBundle(), { workflowId: waiter, history })).toBeUndefined();
});

test('a token that names a payment, or what another caller awaits, cancels nothing', async ({
  oms,
  deployment,
  nexus,
  waiters,
}) => {
  await deployment.startWorker();
  const code = freshCode();
  await oms.call('startPayout', pixPayout(code));
  await madeOnce(deployment, code);
  const awaited = await oms.start('awaitPayout', oms.endpoint, code);
  await expect.poll(() => waiters(code)).toHaveLength(1);
  const [waiter = ''] = await waiters(code);
  const operation = nexus.handlerOf('shop').getOperationHandler('awaitOutcome');
  const context = {
    ...{ service: 'payments', operation: 'awaitOutcome', headers: {} },
    abortSignal: new AbortController().signal,
  };
  const token = (wid: string) =>
    Buffer.from(JSON.stringify({ t: 1, ns: deployment.server.namespace, wid })).toString('base64url');
  await operation.cancel(context, token(`payout-${code}`));
  await expect(operation.cancel(context, token(waiter))).rejects.toMatchObject({ type: 'NOT_FOUND' });
  deployment.sandbox.setPayoutStatus(code, 'done');
  expect(await awaited.result()).toBe('done');
});
