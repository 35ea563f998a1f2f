import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrderState } from '../../src/contract/state.js';
import { refusalOf } from '../support/refusal.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { freshCode, hostedCheckout } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const start = (code: string, tags = '', more: object = {}) =>
  rig.start(
    'hostedCheckout',
    `order-${code}`,
    hostedCheckout(code, tags === '' ? 'Two tickets' : `Two tickets sandbox:${tags}`, more),
  );
const statusIs = (status: string) => (state: OrderState) => state.status === status;
const attentionIs = (attention: string | null) => (state: OrderState) => state.attention === attention;
const made = (code: string) => rig.sandbox.ledger(code).orders;
const command = (handle: WorkflowHandle, name: string, message: object = {}) =>
  handle.executeUpdate<OrderState, [object]>(name, { args: [message] });
const opened = async (code: string, tags = '', more: object = {}) => {
  const handle = await start(code, tags, more);
  await rig.until(handle, statusIs('waiting_payment'), '1 second');
  return handle;
};

describe('a hosted checkout that is paid', () => {
  test('answers where the customer is sent, and is followed by reads alone to its settlement', async () => {
    const code = freshCode();
    const handle = await opened(code);
    const state = await handle.query<OrderState>('state');
    const id = made(code)[0]?.id ?? '';
    expect(state.checkout?.url).toBe(`${rig.sandbox.url}/sandbox/checkout/${id}`);
    expect(state.checkout?.answer).toMatchObject({ id, status: 'waiting_payment' });
    rig.sandbox.setOrderStatus(code, 'paid');
    await rig.until(handle, statusIs('paid'));
    await rig.env.sleep('3 days');
    rig.sandbox.setOrderStatus(code, 'compensated');
    const settled = await rig.until(handle, statusIs('compensated'), '1 hour');
    expect(settled.attention).toBeNull();
    expect(await rig.result<OrderState>(handle, '10 days')).toMatchObject({
      closed: true,
      status: 'compensated',
    });
    expect(made(code)).toHaveLength(1);
  });

  test.for(['id-integer', 'nested', 'status-absent', 'extra-fields', '201', '401', '429'])(
    'works with the answer %s as if it were usual',
    async (tag) => {
      const code = freshCode();
      const handle = await opened(code, tag);
      expect((await handle.query<OrderState>('state')).checkout?.url).toContain('/sandbox/checkout/');
      expect(made(code)).toHaveLength(1);
    },
  );
});

describe('a hosted checkout that nobody pays', () => {
  test('expires after 48 hours, by a read that worked, and is watched on', async () => {
    const code = freshCode();
    const handle = await opened(code);
    const before = await handle.query<OrderState>('state');
    const expired = await rig.until(handle, statusIs('expired'), '1 hour', 60);
    const hours = (Date.parse(expired.updated_at) - Date.parse(before.updated_at)) / 3_600_000;
    expect(Math.round(hours)).toBe(48);
    expect(expired).toMatchObject({ attention: null, closed: false });
    expect(expired.last_read?.status).toBe('waiting_payment');
    expect(await rig.result<OrderState>(handle, '10 days')).toMatchObject({
      status: 'expired',
      closed: true,
    });
  });

  test('expires when its caller says', async () => {
    const handle = await opened(freshCode(), '', { expires_after_hours: 2 });
    await rig.env.sleep('119 minutes');
    expect(await handle.query('state')).toMatchObject({ status: 'waiting_payment' });
    await rig.until(handle, statusIs('expired'), '1 minute', 4);
  });

  test('does not expire unread: a person is called, and the next read that works expires it', async () => {
    const code = freshCode();
    const handle = await opened(code, '', { expires_after_hours: 1 });
    await rig.env.sleep('50 minutes');
    rig.sandbox.fault({
      endpoint: 'GET /v1/order/{id}',
      partner_code: code,
      times: 40,
      fault: { effect: 'none', status: 503 },
    });
    const unread = await rig.until(handle, attentionIs('overdue'), '5 minutes', 20);
    expect(unread.status).toBe('waiting_payment');
    rig.sandbox.clearFaults();
    expect(await rig.until(handle, statusIs('expired'), '10 minutes')).toMatchObject({ attention: null });
  });

  test('and is paid after it has expired calls a person, and goes on as paid', async () => {
    const code = freshCode();
    const handle = await opened(code);
    await rig.until(handle, statusIs('expired'), '1 hour', 60);
    rig.sandbox.setOrderStatus(code, 'paid');
    const paid = await rig.until(handle, statusIs('paid'), '1 hour', 60);
    expect(paid.attention).toBe('inconsistent_answer');
    expect(await command(handle, 'acknowledgeAttention', { by: 'ana' })).toMatchObject({ attention: null });
    rig.sandbox.setOrderStatus(code, 'compensated');
    await rig.until(handle, statusIs('compensated'), '1 hour');
  });

  test('is not taken for expired while it is in a status that no document names', async () => {
    const code = freshCode();
    const handle = await opened(code, '', { expires_after_hours: 1 });
    rig.sandbox.setOrderStatus(code, 'under_review');
    await rig.until(handle, attentionIs('unrecognised_status'));
    await rig.env.sleep('2 hours');
    expect(await handle.query('state')).toMatchObject({ status: 'under_review', closed: false });
  });
});

describe('a hosted checkout of unknown fate', () => {
  test.for(['accepted-then-dropped', 'html', '204', '503-after'])(
    'after the answer %s calls a person, is never opened again, and goes on as they resolve it',
    async (tag) => {
      const code = freshCode();
      const handle = await start(code, tag);
      await rig.until(handle, attentionIs('submission_unknown'), '1 second');
      await rig.env.sleep('3 days');
      expect(made(code)).toHaveLength(1);
      const serviceId = made(code)[0]?.id;
      const resolved = await command(handle, 'resolveSubmission', { service_id: serviceId, by: 'ana' });
      expect(resolved).toMatchObject({ status: 'waiting_payment', attention: null, service_id: serviceId });
      await rig.until(handle, statusIs('expired'), '1 hour', 60);
    },
  );

  test('because the answer has no identifier still says where the customer is sent', async () => {
    const handle = await start(freshCode(), 'id-absent');
    const state = await rig.until(handle, statusIs('submission_unknown'), '1 second');
    expect(state.checkout?.url).toContain('/sandbox/checkout/');
  });

  test('ends rejected when a person finds that nothing had happened', async () => {
    const handle = await start(freshCode(), 'dropped-before');
    await rig.until(handle, statusIs('submission_unknown'), '1 second');
    await command(handle, 'resolveSubmission', { nothing_happened: true });
    expect(await rig.result<OrderState>(handle)).toMatchObject({ status: 'rejected', closed: true });
  });
});

describe('a hosted checkout that is not opened', () => {
  test('because the service refuses it is rejected with its words', async () => {
    const code = freshCode();
    const result = await rig.result<OrderState>(await start(code, '422-text'));
    expect(result).toMatchObject({ status: 'rejected', attention: null, checkout: null });
    expect(result.refusal).toContain('422');
  });

  test('because it can not be sent in its time is rejected', async () => {
    const code = freshCode();
    const handle = await start(code, '429-always', { expires_after_hours: 1 });
    const result = await rig.result<OrderState>(handle, '10 minutes');
    expect(result).toMatchObject({ status: 'rejected', attention: null });
    expect(made(code)).toHaveLength(0);
  });

  test('because it is cancelled first; a cancel request after that is noted', async () => {
    const code = freshCode();
    const first = await start(code, '429-always');
    await rig.until<OrderState>(first, ({ timeline }) => timeline.length > 0, '1 second');
    await first.cancel();
    expect(await rig.result<OrderState>(first)).toMatchObject({ status: 'cancelled' });
    const second = await opened(freshCode());
    await second.cancel();
    await rig.until<OrderState>(second, ({ timeline }) =>
      timeline.some(({ what }) => what.includes('cancel request')),
    );
  });

  test.for([
    ['no address to return to', { order: { redirect_url: 'not an address' } }],
    ['a card in it', { credit_card: { number: '4111111111111111' } }],
  ] as const)('because its input holds %s', async ([, change]) => {
    const code = freshCode();
    const { order, ...input } = hostedCheckout(code);
    const changed = { ...input, ...change, order: { ...order, ...('order' in change ? change.order : {}) } };
    const result = await rig.result<OrderState>(await rig.start('hostedCheckout', `order-${code}`, changed));
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
    expect(JSON.stringify(result)).not.toContain('4111111111111111');
  });

  test('because its address is taken by hand calls no one twice: a refused resolution changes nothing', async () => {
    const handle = await opened(freshCode());
    expect(await command(handle, 'resolveSubmission', { nothing_happened: true }).catch(refusalOf)).toBe(
      'NotUnknown',
    );
  });
});
