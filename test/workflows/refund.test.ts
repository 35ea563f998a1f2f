import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrderState, RefundState } from '../../src/contract/state.js';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { refusalOf } from '../support/refusal.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { cardOrder, freshCode, testCard } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const order = (code: string) => rig.sandbox.ledger(code).orders[0];
const requested = (code: string) => order(code)?.refunds_requested;
const statusIs = (status: string) => (state: RefundState) => state.status === status;
const attentionIs = (attention: string | null) => (state: RefundState) => state.attention === attention;
const command = (handle: WorkflowHandle, name: string, message: object = {}) =>
  handle.executeUpdate<RefundState, [object]>(name, { args: [message] });

/** An order at the service, paid, whose own workflow has ended: `tags` are scenarios of the sandbox. */
async function paidOrder(code: string, tags = '', status = 'paid'): Promise<string> {
  const { card_ref, task_queue } = rig.cardStore.put(testCard);
  const description = tags === '' ? 'Two tickets' : `Two tickets sandbox:${tags}`;
  const handle = await rig.start(
    'cardOrder',
    `order-${code}`,
    cardOrder(code, description, { card: { card_ref, task_queue }, watch_days: 0 }),
  );
  await rig.until<OrderState>(handle, (state) => state.status === 'waiting_payment');
  rig.sandbox.setOrderStatus(code, 'denied');
  await rig.result<OrderState>(handle, '1 minute');
  rig.sandbox.setOrderStatus(code, status);
  return order(code)?.id ?? '';
}

const start = (code: string, serviceId: string, more: object = {}) =>
  rig.start('refund', refundWorkflowId(serviceId), {
    ...{ partner_code: code, service_id: serviceId, value: 99.9 },
    ...more,
  });
const asked = async (code: string, tags = '', status = 'paid') => {
  const handle = await start(code, await paidOrder(code, tags, status), { by: 'shop', reason: 'sold out' });
  await rig.until(handle, statusIs('refund_processing'));
  return handle;
};
const refused = async (code: string, tags = 'refund-422') => {
  const handle = await start(code, await paidOrder(code, tags));
  await rig.until(handle, attentionIs('refund_failed'));
  return handle;
};
const inDoubt = async (code: string, tags = 'refund-accepted-then-dropped') => {
  const handle = await start(code, await paidOrder(code, tags));
  await rig.until(handle, statusIs('unconfirmed'));
  return handle;
};

describe('a refund that goes well', () => {
  test('is asked for once and followed until the order reads as refunded, by reads alone', async () => {
    const code = freshCode();
    const handle = await asked(code);
    expect(await handle.query('state')).toMatchObject({ requests: 1, attention: null, value: 99.9 });
    rig.sandbox.setOrderStatus(code, 'refunded');
    const result = await rig.result<RefundState>(handle, '1 hour');
    expect(result).toMatchObject({ status: 'refunded', closed: true, attention: null, outcome: null });
    expect(result.timeline.find(({ by }) => by === 'shop')).toMatchObject({ reason: 'sold out' });
    expect(requested(code)).toBe(1);
  });

  test('long after settlement, of an order that nothing but its identifier is known of', async () => {
    const code = freshCode();
    const id = await paidOrder(code, '', 'compensated');
    await rig.env.sleep('300 days');
    const handle = await rig.start('refund', refundWorkflowId(id), { partner_code: code, service_id: id });
    await rig.until(handle, statusIs('refund_processing'));
    rig.sandbox.setOrderStatus(code, 'refunded');
    expect(await rig.result<RefundState>(handle, '1 hour')).toMatchObject({
      status: 'refunded',
      value: null,
    });
  });

  test('a postback makes the next read due at once', async () => {
    const code = freshCode();
    const handle = await asked(code);
    await rig.env.sleep('2 days');
    rig.sandbox.setOrderStatus(code, 'refunded');
    await handle.signal('postbackReceived', {
      received_at: new Date().toISOString(),
      content_type: null,
      body: '',
    });
    const result = await rig.result<RefundState>(handle, '1 second', 10);
    expect(result.last_read).toMatchObject({ cause: 'postback', status: 'refunded' });
  });

  test('is not asked for when the order is refunded already', async () => {
    const code = freshCode();
    const handle = await start(code, await paidOrder(code, '', 'refunded'));
    expect(await rig.result<RefundState>(handle, '1 minute')).toMatchObject({
      status: 'refunded',
      requests: 0,
    });
    expect(requested(code)).toBe(0);
  });

  test('is not asked for when one made elsewhere is under way, which is followed', async () => {
    const code = freshCode();
    const handle = await start(code, await paidOrder(code, '', 'refund_processing'));
    expect(await rig.until(handle, statusIs('refund_processing'))).toMatchObject({ requests: 0 });
    rig.sandbox.setOrderStatus(code, 'refunded');
    expect(await rig.result<RefundState>(handle, '1 hour')).toMatchObject({ status: 'refunded' });
    expect(requested(code)).toBe(0);
  });

  test.for(['refund-401', 'refund-429', 'refund-401+refund-429'])(
    'is sent again after %s, which did nothing, and queued once',
    async (tags) => {
      const code = freshCode();
      await asked(code, tags);
      expect(requested(code)).toBe(1);
    },
  );

  test.for(['refund-nested', 'refund-status-absent', 'refund-204', 'refund-202', 'refund-id-integer'])(
    'works with the answer %s as if it were usual',
    async (tags) => {
      const code = freshCode();
      const handle = await asked(code, tags);
      rig.sandbox.setOrderStatus(code, 'refunded');
      await rig.result<RefundState>(handle, '1 hour');
      expect(requested(code)).toBe(1);
    },
  );
});

describe('a refund that is not confirmed', () => {
  test('calls a person after ten days of an order that goes on reading as paid, and is read on', async () => {
    const code = freshCode();
    const handle = await asked(code, 'refund-never');
    const late = await rig.until(handle, statusIs('unconfirmed'), '1 day', 14);
    expect(late).toMatchObject({ attention: 'refund_unconfirmed', requests: 1 });
    rig.sandbox.setOrderStatus(code, 'refunded');
    expect(await rig.result<RefundState>(handle, '1 day')).toMatchObject({
      status: 'refunded',
      attention: null,
    });
    expect(requested(code)).toBe(1);
  });

  test.for([
    'refund-accepted-then-dropped',
    'refund-500-after',
    'refund-html',
    'refund-307-after',
    'refund-409',
  ])('because the request ended with %s is never asked for again by itself', async (tags) => {
    const code = freshCode();
    const handle = await inDoubt(code, tags);
    await rig.env.sleep('1 day');
    expect(await handle.query('state')).toMatchObject({
      status: 'unconfirmed',
      attention: 'refund_unconfirmed',
      requests: 1,
    });
    expect(requested(code)).toBeLessThan(2);
  });

  test('is confirmed by a read that shows it under way', async () => {
    const code = freshCode();
    const tags = 'refund-accepted-then-dropped+refund-visible';
    const handle = await start(code, await paidOrder(code, tags));
    const state = await rig.until<RefundState>(
      handle,
      ({ status, attention }) => status === 'refund_processing' && attention === null,
    );
    expect(state.timeline.some(({ what }) => what.includes('refund_unconfirmed'))).toBe(true);
  });

  test('is retried only with the word of a person that none is queued, and after a fresh read', async () => {
    const code = freshCode();
    const handle = await inDoubt(code, 'refund-dropped-before');
    expect(await command(handle, 'retryRefund', { by: 'ana' }).catch(refusalOf)).toBe('DecisionNeeded');
    expect(requested(code)).toBe(0);
    const retried = await command(handle, 'retryRefund', {
      nothing_queued: true,
      reason: 'support says so',
      by: 'ana',
    });
    expect(retried).toMatchObject({ status: 'requesting', attention: null });
    await rig.until(handle, statusIs('refund_processing'));
    expect(requested(code)).toBe(1);
  });

  test('is not retried when the fresh read shows the order as refunded, whatever a person says', async () => {
    const code = freshCode();
    const handle = await inDoubt(code);
    rig.sandbox.setOrderStatus(code, 'refunded');
    const answer = await command(handle, 'retryRefund', { nothing_queued: true }).catch(refusalOf);
    expect(answer).toBe('AlreadyMoving');
    expect(await rig.result<RefundState>(handle)).toMatchObject({ status: 'refunded' });
    expect(requested(code)).toBe(1);
  });

  test('is not retried while a fresh read shows it under way, whatever a person says', async () => {
    const code = freshCode();
    const handle = await asked(code);
    await rig.until(handle, statusIs('unconfirmed'), '1 day', 14);
    rig.sandbox.setOrderStatus(code, 'refund_processing');
    const answer = await command(handle, 'retryRefund', { nothing_queued: true }).catch(refusalOf);
    expect(answer).toBe('AlreadyMoving');
    expect(requested(code)).toBe(1);
  });

  test('that can not be asked for in time calls a person: nothing was sent', async () => {
    const code = freshCode();
    const id = await paidOrder(code);
    rig.sandbox.fault({
      endpoint: 'PUT /v1/order/{id}/refund',
      times: 1_000,
      fault: { effect: 'none', status: 429 },
    });
    const handle = await start(code, id);
    const given = await rig.until(handle, attentionIs('refund_failed'), '5 minutes', 40);
    expect(given).toMatchObject({ status: 'rejected', requests: 0 });
    rig.sandbox.clearFaults();
    expect(requested(code)).toBe(0);
  });

  test.for(['refunded', 'not_refunded'] as const)('ends as a person resolves it: %s', async (outcome) => {
    const code = freshCode();
    const handle = await inDoubt(code);
    const resolved = await command(handle, 'resolveRefund', { outcome, reason: 'asked them', by: 'ana' });
    expect(resolved).toMatchObject({ status: 'resolved', outcome, attention: null });
    const result = await rig.result<RefundState>(handle);
    expect(result).toMatchObject({ status: 'resolved', outcome, closed: true });
    expect(result.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: 'asked them' });
  });

  test('takes no resolution without an outcome, and no acknowledgement in place of one', async () => {
    const handle = await inDoubt(freshCode());
    expect(await command(handle, 'resolveRefund', { outcome: 'perhaps' }).catch(refusalOf)).toBe(
      'InvalidMessage',
    );
    expect(await command(handle, 'acknowledgeAttention').catch(refusalOf)).toBe('DecisionNeeded');
  });
});

describe('a refund that fails', () => {
  test('because the service refuses it calls a person with its words, and is retried on command', async () => {
    const code = freshCode();
    const handle = await refused(code);
    expect(await handle.query('state')).toMatchObject({ status: 'rejected', requests: 1 });
    expect((await handle.query<RefundState>('state')).refusal).toContain('422');
    await command(handle, 'retryRefund', { reason: 'balance is there', by: 'ana' });
    await rig.until(handle, statusIs('refund_processing'));
    expect(requested(code)).toBe(1);
  });

  test('by its own word calls a person', async () => {
    const code = freshCode();
    const handle = await asked(code);
    rig.sandbox.setOrderStatus(code, 'refund_failed');
    const failed = await rig.until(handle, attentionIs('refund_failed'));
    expect(failed.status).toBe('rejected');
    rig.sandbox.setOrderStatus(code, 'paid');
    await command(handle, 'retryRefund');
    await rig.until(handle, statusIs('refund_processing'));
    expect(requested(code)).toBe(2);
  });

  test('is not taken for failed again by the word that a former request left behind', async () => {
    const code = freshCode();
    const handle = await asked(code);
    rig.sandbox.setOrderStatus(code, 'refund_failed');
    await rig.until(handle, attentionIs('refund_failed'));
    rig.sandbox.fault({
      endpoint: 'PUT /v1/order/{id}/refund',
      partner_code: code,
      fault: { effect: 'none', status: 200, body: { id: order(code)?.id, status: 'refund_processing' } },
    });
    await command(handle, 'retryRefund');
    await rig.env.sleep('3 days');
    expect(await handle.query('state')).toMatchObject({ status: 'refund_processing', attention: null });
    rig.sandbox.setOrderStatus(code, 'refund_processing');
    await rig.env.sleep('1 day');
    rig.sandbox.setOrderStatus(code, 'refund_failed');
    await rig.until(handle, attentionIs('refund_failed'), '1 hour');
  });

  test('is retried once by two commands at the same time', async () => {
    const code = freshCode();
    const handle = await refused(code);
    const answers = await Promise.all([
      command(handle, 'retryRefund').catch(refusalOf),
      command(handle, 'retryRefund').catch(refusalOf),
    ]);
    expect(answers).toContain('NotParked');
    await rig.until(handle, statusIs('refund_processing'));
    expect(requested(code)).toBe(1);
  });

  test('is not retried while the order can not be read', async () => {
    const code = freshCode();
    const handle = await refused(code);
    rig.sandbox.fault({
      endpoint: 'GET /v1/order/{id}',
      partner_code: code,
      times: 5,
      fault: { effect: 'none', status: 503 },
    });
    expect(await rig.meanwhile(command(handle, 'retryRefund').catch(refusalOf))).toBe('CouldNotRead');
    expect(requested(code)).toBe(0);
  });

  test('is not asked for while the order reads as charged back: the money would go back twice', async () => {
    const code = freshCode();
    const handle = await start(code, await paidOrder(code, '', 'chargeback'));
    await rig.until(handle, attentionIs('refund_failed'));
    expect(await command(handle, 'retryRefund').catch(refusalOf)).toBe('AlreadyMoving');
    expect(requested(code)).toBe(0);
  });

  test('calls a person when the order is charged back while the refund is open', async () => {
    const code = freshCode();
    const handle = await asked(code);
    rig.sandbox.setOrderStatus(code, 'chargeback');
    await rig.until(handle, attentionIs('chargeback'));
    expect(await command(handle, 'acknowledgeAttention', { by: 'ana' })).toMatchObject({ attention: null });
    rig.sandbox.setOrderStatus(code, 'refunded');
    expect(await rig.result<RefundState>(handle, '1 day')).toMatchObject({ status: 'refunded' });
  });

  test('is not asked for when the identifier is of another order', async () => {
    const code = freshCode();
    const other = freshCode();
    const handle = await start(code, await paidOrder(other, 'read-with-partner-code'));
    const stopped = await rig.until(handle, statusIs('rejected'));
    expect(stopped.attention).toBe('inconsistent_answer');
    expect(requested(other)).toBe(0);
  });

  test('calls a person when the order can not be read for an hour: nothing was sent', async () => {
    const handle = await start(freshCode(), '999999999');
    const stopped = await rig.until(handle, attentionIs('refund_failed'), '10 minutes', 20);
    expect(stopped).toMatchObject({ status: 'rejected', requests: 0 });
  });

  test('refuses commands while nobody is called for', async () => {
    const handle = await asked(freshCode());
    expect(await command(handle, 'retryRefund', { nothing_queued: true }).catch(refusalOf)).toBe('NotParked');
    expect(await command(handle, 'resolveRefund', { outcome: 'refunded' }).catch(refusalOf)).toBe(
      'NotParked',
    );
  });
});

describe('a cancel request', () => {
  test('before anything was sent ends the refund as cancelled', async () => {
    const code = freshCode();
    const handle = await start(code, '999999999');
    await rig.until<RefundState>(handle, ({ timeline }) => timeline.length > 0, '1 second');
    await handle.cancel();
    expect(await rig.result<RefundState>(handle)).toMatchObject({ status: 'cancelled', closed: true });
  });

  test('after the request is noted and changes nothing', async () => {
    const code = freshCode();
    const handle = await asked(code);
    await handle.cancel();
    rig.sandbox.setOrderStatus(code, 'refunded');
    expect(await rig.result<RefundState>(handle, '1 hour')).toMatchObject({ status: 'refunded' });
  });
});

describe('a start that must not be', () => {
  test.for([
    ['without the identifier of the order', () => ({ partner_code: 'x' })],
    [
      'with a field that is not known',
      (code: string) => ({ partner_code: code, service_id: code, value: 1.001 }),
    ],
  ] as const)('%s', async ([, input]) => {
    const code = freshCode();
    const handle = await rig.start('refund', refundWorkflowId(code), input(code));
    const result = await rig.result<RefundState>(handle);
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input', closed: true });
  });

  test('under an id that is not its own', async () => {
    const code = freshCode();
    const input = { partner_code: code, service_id: '1' };
    const handle = await rig.start('refund', `refund-${randomUUID()}`, input);
    expect(await rig.result<RefundState>(handle)).toMatchObject({ attention: 'invalid_input' });
  });
});
