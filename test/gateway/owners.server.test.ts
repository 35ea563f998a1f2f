import { WorkflowNotFoundError } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { cardOrder, newCode, pixPayout } from './requests.js';
import { omsKey, operatorKey, otherOmsKey } from './call.js';
import { gatewayForAllTests } from './test-gateway.js';

const gateway = await gatewayForAllTests();

const failedPayout = async () => {
  const payout = pixPayout();
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  const workflowId = `payout-${payout.partner_code}`;
  await gateway.change(workflowId, { status: 'error', attention: 'payout_failed' });
  return { payout, path: `/v1/payouts/${payout.partner_code}`, workflowId };
};

describe('what one OMS has started', () => {
  test('belongs to the name of its key, in the state and in the search attribute', async () => {
    const { payout, path, workflowId } = await failedPayout();
    expect((await gateway.call('GET', path)).body.started_by).toBe('shop');
    const { searchAttributes } = await gateway.server.client.workflow.getHandle(workflowId).describe();
    expect(searchAttributes.PaymentOwner).toEqual(['shop']);
    const begun = await gateway.call('POST', '/v1/payouts/pix', { body: pixPayout() });
    expect(begun).toMatchObject({ status: 202, body: { started_by: 'shop' } });
    expect((await gateway.call('POST', '/v1/payouts/pix', { body: payout })).status).toBe(200);
  });

  test('may be retried and given up by that OMS itself', async () => {
    const { path, workflowId } = await failedPayout();
    expect((await gateway.call('POST', `${path}/retry`, { body: { reason: 'a test' } })).status).toBe(200);
    await gateway.change(workflowId, { status: 'error' });
    expect(await gateway.call('POST', `${path}/abandon`, { body: { reason: 'paid in cash' } })).toMatchObject(
      {
        status: 200,
        body: { status: 'abandoned' },
      },
    );
  });
});

describe('a refund', () => {
  test('of an order that is unknown, or of someone else, takes a key of an operator', async () => {
    const order = cardOrder();
    await gateway.call('POST', '/v1/orders/card', { body: order });
    const refund = (code: string) =>
      gateway.call('POST', `/v1/orders/${code}/refund`, { body: { service_id: 'ord_1' }, key: otherOmsKey });
    const foreign = await refund(order.order.partner_code);
    const unknown = await refund(newCode());
    expect([foreign.status, unknown.status]).toEqual([403, 403]);
    expect(foreign.body).toEqual(unknown.body);
    const handle = gateway.server.client.workflow.getHandle('refund-ord_1');
    await expect(handle.describe()).rejects.toThrow(WorkflowNotFoundError);
    expect(gateway.audit).toContainEqual(
      expect.objectContaining({ key: 'market', command: 'startRefund', outcome: 'forbidden' }),
    );
  });

  test('of an order can not be aimed at another order by its identifier, not even by an operator', async () => {
    const order = cardOrder();
    const code = order.order.partner_code;
    await gateway.call('POST', '/v1/orders/card', { body: order });
    await gateway.change(`order-${code}`, { service_id: `own-${code}`, status: 'paid' });
    for (const key of [omsKey, operatorKey]) {
      expect(
        await gateway.call('POST', `/v1/orders/${code}/refund`, {
          body: { service_id: `other-${code}` },
          key,
        }),
      ).toMatchObject({ status: 400, body: { errors: [{ field: 'service_id' }] } });
    }
    for (const id of [`refund-own-${code}`, `refund-other-${code}`])
      await expect(gateway.server.client.workflow.getHandle(id).describe()).rejects.toThrow(
        WorkflowNotFoundError,
      );
  });

  test('of an order without an identifier can not be aimed at another order by its owner', async () => {
    const order = cardOrder();
    await gateway.call('POST', '/v1/orders/card', { body: order });
    const path = `/v1/orders/${order.order.partner_code}/refund`;
    expect(await gateway.call('POST', path, { body: { service_id: 'ord_2' } })).toMatchObject({
      status: 409,
      body: { reason: 'NotSubmitted' },
    });
  });
});
