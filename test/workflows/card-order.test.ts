import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrderState } from '../../src/contract/state.js';
import { refusalOf } from '../support/refusal.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { cardOrder, freshCode, testCard } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const card = () => {
  const { card_ref, task_queue } = rig.cardStore.put(testCard);
  return { card_ref, task_queue };
};
const start = (code: string, tags = '', more: object = {}) =>
  rig.start(
    'cardOrder',
    `order-${code}`,
    cardOrder(code, tags === '' ? 'Two tickets' : `Two tickets sandbox:${tags}`, { card: card(), ...more }),
  );
const statusIs = (status: string) => (state: OrderState) => state.status === status;
const attentionIs = (attention: string | null) => (state: OrderState) => state.attention === attention;
const made = (code: string) => rig.sandbox.ledger(code).orders;
const idOf = (code: string) => made(code)[0]?.id ?? '';
const command = (handle: WorkflowHandle, name: string, message: object = {}) =>
  handle.executeUpdate<OrderState, [object]>(name, { args: [message] });
const postback = (handle: WorkflowHandle, body: object) =>
  handle.signal('postbackReceived', {
    received_at: new Date().toISOString(),
    content_type: 'application/json',
    body: JSON.stringify(body),
  });
const submitted = async (code: string, tags = '', more: object = {}) => {
  const handle = await start(code, tags, more);
  await rig.until(handle, statusIs('waiting_payment'));
  return handle;
};
const inDoubt = async (code: string, tags = 'accepted-then-dropped') => {
  const handle = await start(code, tags);
  await rig.until(handle, statusIs('submission_unknown'));
  return handle;
};

describe('a card order that goes well', () => {
  test('settles 30 days later without any postback, and ends at the end of its watch', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    rig.sandbox.setOrderStatus(code, 'paid');
    await rig.until(handle, statusIs('paid'));
    await rig.env.sleep('30 days');
    rig.sandbox.setOrderStatus(code, 'compensated');
    const settled = await rig.until(handle, statusIs('compensated'), '6 hours');
    expect(settled).toMatchObject({ attention: null, service_id: idOf(code), value: 99.9, closed: false });
    const result = await rig.result<OrderState>(handle, '10 days');
    expect(result).toMatchObject({ status: 'compensated', closed: true, attention: null });
    const watchedDays = (Date.parse(await endOf(handle)) - Date.parse(settled.updated_at)) / 86_400_000;
    expect(Math.round(watchedDays)).toBe(180);
    expect(made(code)).toMatchObject([{ times_created: 1, times_charged: 1 }]);
  });

  test('with watch_days 0 closes as soon as it is settled', async () => {
    const code = freshCode();
    const handle = await submitted(code, '', { watch_days: 0 });
    rig.sandbox.setOrderStatus(code, 'compensated');
    const result = await rig.result<OrderState>(handle, '1 minute');
    expect(result).toMatchObject({ status: 'compensated', closed: true });
  });

  test('is read at once when a postback comes, and the postback itself is not believed', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    await rig.env.sleep('2 hours');
    await postback(handle, { id: idOf(code), status: 'compensated' });
    const state = await rig.until<OrderState>(
      handle,
      ({ last_read: read }) => read?.cause === 'postback',
      '1 second',
      10,
    );
    expect(state.status).toBe('waiting_payment');
  });

  test.for(['id-integer', 'nested', 'status-absent', 'status-upper', 'extra-fields', '201', '202'])(
    'works with the answer %s as if it were usual',
    async (tag) => {
      const code = freshCode();
      const handle = await submitted(code, tag);
      rig.sandbox.setOrderStatus(code, 'compensated');
      expect(await rig.until(handle, statusIs('compensated'))).toMatchObject({ attention: null });
    },
  );
});

describe('a card order that goes badly', () => {
  test('because the card is denied ends denied, calling nobody', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    rig.sandbox.setOrderStatus(code, 'denied');
    const result = await rig.result<OrderState>(handle);
    expect(result).toMatchObject({ status: 'denied', attention: null, closed: true });
  });

  test('because it is denied in the answer itself is told so at once', async () => {
    const code = freshCode();
    const handle = await start(code, 'denied-at-once');
    expect(await rig.until(handle, statusIs('denied'))).toMatchObject({ service_id: idOf(code) });
  });

  test('as error is read on, and turns paid and settled', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    rig.sandbox.setOrderStatus(code, 'error');
    await rig.until(handle, statusIs('error'));
    rig.sandbox.setOrderStatus(code, 'paid');
    await rig.until(handle, statusIs('paid'), '6 hours');
    rig.sandbox.setOrderStatus(code, 'compensated');
    expect(await rig.until(handle, statusIs('compensated'))).toMatchObject({ attention: null });
  });

  test('because the service refuses it is rejected with its words, and charged nothing', async () => {
    const code = freshCode();
    const result = await rig.result<OrderState>(await start(code, '422-text'));
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true, service_id: null });
    expect(result.refusal).toContain('422');
    expect(made(code)).toHaveLength(0);
  });

  test('calls a person when it is charged back, and takes the call back when that is reversed', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    rig.sandbox.setOrderStatus(code, 'compensated');
    await rig.until(handle, statusIs('compensated'));
    rig.sandbox.setOrderStatus(code, 'chargeback');
    const charged = await rig.until(handle, attentionIs('chargeback'), '1 day');
    expect(charged.attention_detail).toContain('acknowledgeAttention');
    rig.sandbox.setOrderStatus(code, 'compensated');
    await rig.until<OrderState>(
      handle,
      ({ status, attention }) => status === 'compensated' && attention === null,
      '1 day',
    );
  });

  test('follows a refund that somebody made elsewhere, long after its settlement', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    rig.sandbox.setOrderStatus(code, 'compensated');
    await rig.until(handle, statusIs('compensated'));
    await rig.env.sleep('60 days');
    rig.sandbox.setOrderStatus(code, 'refunded');
    const refunded = await rig.until(handle, statusIs('refunded'), '1 day');
    expect(refunded).toMatchObject({ attention: null, closed: false });
  });

  test('stays open while a chargeback is not acknowledged, and ends its watch afterwards', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    rig.sandbox.setOrderStatus(code, 'chargeback');
    await rig.until(handle, attentionIs('chargeback'));
    await rig.env.sleep('200 days');
    expect(await handle.query<OrderState>('state')).toMatchObject({ closed: false });
    const seen = await command(handle, 'acknowledgeAttention', { reason: 'accepted', by: 'ana' });
    expect(seen).toMatchObject({ attention: null, status: 'chargeback' });
    const result = await rig.result<OrderState>(handle);
    expect(result.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: 'accepted' });
  });

  test('calls a person when it is not settled 45 days after it was paid, and is read on', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    rig.sandbox.setOrderStatus(code, 'paid');
    const paid = await rig.until(handle, statusIs('paid'));
    const overdue = await rig.until(handle, attentionIs('overdue'), '1 day');
    const days = (Date.parse(overdue.updated_at) - Date.parse(paid.updated_at)) / 86_400_000;
    expect(Math.floor(days)).toBeGreaterThanOrEqual(45);
    expect(Math.floor(days)).toBeLessThan(47);
    expect(await command(handle, 'acknowledgeAttention')).toMatchObject({ attention: null, status: 'paid' });
    rig.sandbox.setOrderStatus(code, 'compensated');
    await rig.until(handle, statusIs('compensated'), '1 day');
  });

  test('calls a person when its status is in no document, and goes on', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    rig.sandbox.setOrderStatus(code, 'under_review');
    await rig.until(handle, attentionIs('unrecognised_status'));
    rig.sandbox.setOrderStatus(code, 'compensated');
    await rig.until<OrderState>(
      handle,
      ({ status, attention }) => status === 'compensated' && attention === null,
    );
  });

  test.for(['read-value-other-always', 'read-id-other-always'])(
    'calls a person when a read comes with %s, and does not believe it',
    async (tag) => {
      const code = freshCode();
      const handle = await submitted(code, tag);
      rig.sandbox.setOrderStatus(code, 'compensated');
      const state = await rig.until(handle, attentionIs('inconsistent_answer'));
      expect(state.status).toBe('waiting_payment');
    },
  );
});

describe('a card', () => {
  test('that is gone from the desk is asked for, and a new one charges once', async () => {
    const code = freshCode();
    const lost = card();
    rig.cardStore.discard(lost.card_ref);
    const handle = await start(code, '', { card: lost });
    const waiting = await rig.until(handle, statusIs('awaiting_card'), '1 second');
    expect(waiting).toMatchObject({ attention: 'awaiting_card' });
    const provided = await command(handle, 'provideCard', { ...card(), by: 'shop' });
    expect(provided).toMatchObject({ status: 'submitting', attention: null });
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toMatchObject([{ times_created: 1, times_submitted: 1 }]);
  });

  test('that never came is asked for, and without one in time the order is rejected', async () => {
    const code = freshCode();
    const handle = await start(code, '', { card: undefined });
    await rig.until(handle, statusIs('awaiting_card'), '1 second');
    const result = await rig.result<OrderState>(handle, '1 minute', 20);
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true });
    expect(made(code)).toHaveLength(0);
  });

  test('is awaited on when a postback says nothing at all, as a bare client may send it', async () => {
    const handle = await start(freshCode(), '', { card: undefined });
    await rig.until(handle, statusIs('awaiting_card'), '1 second');
    await handle.signal('postbackReceived');
    expect(await handle.query('state')).toMatchObject({ status: 'awaiting_card' });
  });

  test('is refused when none is awaited, or when it is no reference', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    expect(await command(handle, 'provideCard', card()).catch(refusalOf)).toBe('NotAwaitingCard');
    const other = await start(freshCode(), '', { card: undefined });
    await rig.until(other, statusIs('awaiting_card'), '1 second');
    for (const message of [{}, { card_ref: 'x', task_queue: 'elsewhere' }, { number: testCard.number }]) {
      expect(await command(other, 'provideCard', message).catch(refusalOf)).toBe('InvalidMessage');
    }
  });

  test.for(['401', '403', '429', '401+429'])(
    'is given back after the answer %s, which did nothing, and sent again',
    async (tag) => {
      const code = freshCode();
      await submitted(code, tag);
      expect(made(code)).toMatchObject([{ times_created: 1, times_submitted: 1 }]);
    },
  );
});

describe('a card order of unknown fate', () => {
  test.for([
    'accepted-then-dropped',
    'truncated',
    'html',
    'id-absent',
    'id-unsafe',
    '204',
    '500-after',
    '409',
  ])('after the answer %s calls a person and is never sent again', async (tag) => {
    const code = freshCode();
    const handle = await inDoubt(code, tag);
    await rig.env.sleep('2 days');
    expect(await handle.query('state')).toMatchObject({
      status: 'submission_unknown',
      attention: 'submission_unknown',
      service_id: null,
    });
    expect(made(code).length).toBeLessThan(2);
  });

  test('goes on under the identifier that a person found', async () => {
    const code = freshCode();
    const handle = await inDoubt(code);
    const resolved = await command(handle, 'resolveSubmission', {
      service_id: idOf(code),
      reason: 'seen',
      by: 'ana',
    });
    expect(resolved).toMatchObject({ status: 'waiting_payment', attention: null, service_id: idOf(code) });
    rig.sandbox.setOrderStatus(code, 'compensated');
    await rig.until(handle, statusIs('compensated'));
  });

  test('ends rejected when a person finds that nothing had happened', async () => {
    const code = freshCode();
    const handle = await inDoubt(code, 'dropped-before');
    const resolved = await command(handle, 'resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(resolved).toMatchObject({ status: 'rejected', attention: null });
    expect(await rig.result<OrderState>(handle)).toMatchObject({ status: 'rejected', closed: true });
  });

  test('refuses an identifier that can not be read, one of another order, and what says nothing or both', async () => {
    const code = freshCode();
    const other = freshCode();
    await submitted(other, 'read-with-partner-code');
    const handle = await inDoubt(code);
    const refused = (message: object) =>
      rig.meanwhile(command(handle, 'resolveSubmission', message).catch(refusalOf));
    expect(await refused({ service_id: '999999999' })).toBe('CouldNotRead');
    expect(await refused({ service_id: idOf(other) })).toBe('InvalidMessage');
    expect(await refused({})).toBe('InvalidMessage');
    expect(await refused({ service_id: idOf(code), nothing_happened: true })).toBe('InvalidMessage');
    expect(await handle.query('state')).toMatchObject({ status: 'submission_unknown' });
  });

  test('is found by a postback when the service itself shows that it is this order', async () => {
    const code = freshCode();
    const handle = await inDoubt(code, 'accepted-then-dropped+read-with-partner-code');
    await postback(handle, { id: idOf(code), status: 'paid' });
    const found = await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(found).toMatchObject({ attention: null, service_id: idOf(code) });
  });

  test('shows what a postback named as a candidate, no more, when the service does not say whose it is', async () => {
    const code = freshCode();
    const handle = await inDoubt(code);
    await postback(handle, { id: idOf(code), status: 'paid' });
    const state = await rig.until<OrderState>(handle, ({ candidates }) => candidates.length > 0, '1 second');
    expect(state).toMatchObject({
      status: 'submission_unknown',
      candidates: [idOf(code)],
      service_id: null,
    });
  });

  test('is not taken for another order that a postback names', async () => {
    const code = freshCode();
    const other = freshCode();
    await submitted(other, 'read-with-partner-code');
    const handle = await inDoubt(code);
    await postback(handle, { order: { id: idOf(other) } });
    await rig.env.sleep('1 minute');
    expect(await handle.query('state')).toMatchObject({ status: 'submission_unknown', service_id: null });
  });

  test('reads a candidate later when the service can not be read just then', async () => {
    const code = freshCode();
    const handle = await inDoubt(code, 'accepted-then-dropped+read-with-partner-code');
    rig.sandbox.fault({
      endpoint: 'GET /v1/order/{id}',
      partner_code: code,
      times: 5,
      fault: { effect: 'none', status: 503 },
    });
    await postback(handle, { id: idOf(code) });
    await rig.until(handle, statusIs('waiting_payment'), '5 minutes');
  });

  test('takes no resolution once its fate is known', async () => {
    const handle = await submitted(freshCode());
    const answer = command(handle, 'resolveSubmission', { nothing_happened: true }).catch(refusalOf);
    expect(await answer).toBe('NotUnknown');
  });
});

describe('a cancel request', () => {
  test('before anything was sent ends the order as cancelled', async () => {
    const code = freshCode();
    const handle = await start(code, '', { card: undefined });
    await rig.until(handle, statusIs('awaiting_card'), '1 second');
    await handle.cancel();
    expect(await rig.result<OrderState>(handle)).toMatchObject({
      status: 'cancelled',
      closed: true,
      attention: null,
    });
    expect(made(code)).toHaveLength(0);
  });

  test('after the submission is noted and changes nothing', async () => {
    const code = freshCode();
    const handle = await submitted(code);
    await handle.cancel();
    rig.sandbox.setOrderStatus(code, 'compensated');
    const result = await rig.result<OrderState>(handle);
    expect(result.status).toBe('compensated');
    expect(result.timeline.some(({ what }) => what.includes('cancel request'))).toBe(true);
  });
});

describe('a start that must not be', () => {
  const refused = async (workflowId: string, input: unknown, options = {}) => {
    const handle = await rig.start('cardOrder', workflowId, input, options);
    const result = await rig.result<OrderState>(handle);
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input', closed: true });
    return result;
  };

  test.for([
    ['with the card beside the order', true],
    ['with the card beside the order and a place at the desk', false],
  ] as const)('%s is refused and never repeats it', async ([, withoutReference]) => {
    const code = freshCode();
    const input = cardOrder(code, 'Two tickets', {
      credit_card: testCard,
      ...(withoutReference ? {} : { card: card() }),
    });
    const result = await refused(`order-${code}`, input);
    expect(JSON.stringify(result)).not.toContain(testCard.number);
    expect(made(code)).toHaveLength(0);
  });

  test('under an id that is not its own', async () => {
    const code = freshCode();
    await refused(`other-${code}`, cardOrder(code, 'Two tickets', { card: card() }));
  });

  test('with a retry policy, which would charge again', async () => {
    const code = freshCode();
    const input = cardOrder(code, 'Two tickets', { card: card() });
    await refused(`order-${code}`, input, { retry: { maximumAttempts: 3 } });
  });

  test.for([
    ['nothing at all', undefined],
    ['a text', 'charge me'],
  ] as const)('with %s', async ([, input]) => {
    await refused(`order-${freshCode()}`, input);
  });
});

// Last: the server holds its clock for a task that nobody takes, so the half minute really passes.
describe('a card', () => {
  test('whose gateway is gone is asked for: nothing was sent', async () => {
    const code = freshCode();
    const gone = { card_ref: randomUUID(), task_queue: `card-desk-${randomUUID()}` };
    const handle = await start(code, '', { card: gone });
    await rig.until(handle, statusIs('awaiting_card'), '5 seconds', 20);
    await command(handle, 'provideCard', card());
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toHaveLength(1);
  });
});

/** When the workflow ended, by the server's clock. */
async function endOf(handle: WorkflowHandle): Promise<string> {
  const { closeTime } = await handle.describe();
  return closeTime?.toISOString() ?? '';
}
