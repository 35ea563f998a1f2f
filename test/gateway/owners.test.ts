import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { card, cardOrder, newCode, pixPayout } from './requests.js';
import { omsKey, operatorKey, otherOmsKey, startRig } from './rig.js';
import type { Rig } from './rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const failedPayout = async () => {
  const payout = pixPayout();
  await rig.call('POST', '/v1/payouts/pix', { body: payout });
  const workflowId = `payout-${payout.partner_code}`;
  await rig.change(workflowId, { status: 'error', attention: 'payout_failed' });
  return { payout, path: `/v1/payouts/${payout.partner_code}`, workflowId };
};

describe('what one OMS has started', () => {
  test('belongs to the name of its key, in the state and in the search attribute', async () => {
    const { payout, path, workflowId } = await failedPayout();
    expect((await rig.call('GET', path)).body.started_by).toBe('shop');
    const { searchAttributes } = await rig.server.client.workflow.getHandle(workflowId).describe();
    expect(searchAttributes.PaymentOwner).toEqual(['shop']);
    const begun = await rig.call('POST', '/v1/payouts/pix', { body: pixPayout() });
    expect(begun).toMatchObject({ status: 202, body: { started_by: 'shop' } });
    expect((await rig.call('POST', '/v1/payouts/pix', { body: payout })).status).toBe(200);
  });

  test('is not found by another, whatever it reads or commands, and nothing happens to it', async () => {
    const { path } = await failedPayout();
    const order = cardOrder();
    const orderPath = `/v1/orders/${order.order.partner_code}`;
    await rig.call('POST', '/v1/orders/card', { body: order });
    const key = otherOmsKey;
    const tries = [
      rig.call('GET', path, { key }),
      rig.call('GET', `${path}?until=done`, { key, headers: { prefer: 'wait=20' } }),
      rig.call('POST', `${path}/retry`, { key, body: { corrections: { pix: 'evil@example.com' } } }),
      rig.call('POST', `${path}/abandon`, { key, body: {} }),
      rig.call('GET', orderPath, { key }),
      rig.call('POST', `${orderPath}/card`, { key, body: { credit_card: card() } }),
      rig.call('POST', `${orderPath}/3ds-token`, { key }),
      rig.call('GET', `${orderPath}/refund`, { key }),
    ];
    for (const answer of await Promise.all(tries)) {
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('shop');
    }
    expect((await rig.call('GET', path)).body).toMatchObject({ status: 'error', timeline: [] });
    expect(rig.cardStore.held).toBe(1);
    expect(rig.audit).toContainEqual(
      expect.objectContaining({ key: 'market', command: 'retryPayout', outcome: 'not found' }),
    );
  });

  test('is not in the lists of another; an operator sees all', async () => {
    const { payout } = await failedPayout();
    const codesOf = async (key: string) => {
      const { body } = await rig.call('GET', '/v1/payouts?limit=200', { key });
      return body.payments.map(({ partner_code }) => partner_code);
    };
    await expect.poll(() => codesOf(operatorKey)).toContain(payout.partner_code);
    expect(await codesOf(omsKey)).toContain(payout.partner_code);
    expect(await codesOf(otherOmsKey)).toEqual([]);
  });

  test('keeps its code taken: 409 for another, even for the same request, with nothing of it', async () => {
    const { payout } = await failedPayout();
    for (const body of [payout, { ...payout, value: 1 }]) {
      const answer = await rig.call('POST', '/v1/payouts/pix', { body, key: otherOmsKey });
      expect(answer.status).toBe(409);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.text).not.toMatch(/150|shop|error|Ana/);
    }
    expect((await rig.call('POST', '/v1/payouts/pix', { body: payout, key: operatorKey })).status).toBe(200);
  });

  test('may be retried and given up by that OMS itself', async () => {
    const { path, workflowId } = await failedPayout();
    expect((await rig.call('POST', `${path}/retry`, { body: {} })).status).toBe(200);
    await rig.change(workflowId, { status: 'error' });
    expect(await rig.call('POST', `${path}/abandon`, { body: { reason: 'paid in cash' } })).toMatchObject({
      status: 200,
      body: { status: 'abandoned' },
    });
  });

  test('can be retried and given up by an operator', async () => {
    const { path } = await failedPayout();
    expect((await rig.call('POST', `${path}/abandon`, { key: operatorKey })).status).toBe(200);
  });
});

test('a payment that a bare Temporal client has started is for operators alone', async () => {
  const code = newCode();
  await rig.server.client.workflow.start('payout', {
    workflowId: `payout-${code}`,
    taskQueue: rig.server.taskQueue,
    args: [{ ...pixPayout(code), method: 'pix' }],
  });
  expect((await rig.call('GET', `/v1/payouts/${code}`)).status).toBe(404);
  expect(await rig.call('GET', `/v1/payouts/${code}`, { key: operatorKey })).toMatchObject({
    status: 200,
    body: { started_by: null },
  });
});

test('a batch is for its owner, and its id stays taken', async () => {
  const batch = { batch_id: `b-${randomUUID()}x`, payouts: [{ method: 'pix', ...pixPayout() }] };
  const send = (key: string) => rig.call('POST', '/v1/payout-batches', { body: batch, key });
  expect((await send(omsKey)).status).toBe(202);
  const taken = await send(otherOmsKey);
  expect(taken.status).toBe(409);
  expect(taken.headers.location).toBeUndefined();
  const path = `/v1/payout-batches/${batch.batch_id}`;
  expect((await rig.call('GET', path, { key: otherOmsKey })).status).toBe(404);
});

describe('a refund', () => {
  test('of an order that is unknown, or of someone else, takes a key of an operator', async () => {
    const order = cardOrder();
    await rig.call('POST', '/v1/orders/card', { body: order });
    const refund = (code: string) =>
      rig.call('POST', `/v1/orders/${code}/refund`, { body: { service_id: 'ord_1' }, key: otherOmsKey });
    const foreign = await refund(order.order.partner_code);
    const unknown = await refund(newCode());
    expect([foreign.status, unknown.status]).toEqual([403, 403]);
    expect(foreign.body).toEqual(unknown.body);
    const handle = rig.server.client.workflow.getHandle('refund-ord_1');
    await expect(handle.describe()).rejects.toThrow(WorkflowNotFoundError);
    expect(rig.audit).toContainEqual(
      expect.objectContaining({ key: 'market', command: 'startRefund', outcome: 'forbidden' }),
    );
  });

  test('of an order without an identifier can not be aimed at another order by its owner', async () => {
    const order = cardOrder();
    await rig.call('POST', '/v1/orders/card', { body: order });
    const path = `/v1/orders/${order.order.partner_code}/refund`;
    expect(await rig.call('POST', path, { body: { service_id: 'ord_2' } })).toMatchObject({
      status: 409,
      body: { reason: 'NotSubmitted' },
    });
  });
});
