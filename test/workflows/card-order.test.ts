import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { cardOrder, testCard } from '../support/requests.js';

describe('a card order that goes well', () => {
  test('with watch_days 0 closes as soon as it is settled', async ({ order }) => {
    await order.submitted('', { watch_days: 0 });
    order.service.shows('compensated');
    const result = await order.result('1 minute');
    expect(result).toMatchObject({ status: 'compensated', closed: true });
  });

  test('is read at once when a postback comes, and the postback itself is not trusted', async ({ order }) => {
    await order.submitted();
    await order.after('2 hours');
    await order.postback({ id: order.id(), status: 'compensated' });
    const state = await order.until(({ last_read: read }) => read?.cause === 'postback', '1 second', 10);
    expect(state.status).toBe('waiting_payment');
  });

  test.for(['id-integer', 'nested', 'status-absent', 'status-upper', 'extra-fields', '201', '202'])(
    'works with the answer %s as if it were usual',
    async (tag, { order }) => {
      await order.submitted(tag);
      order.service.shows('compensated');
      expect(await order.until(statusIs('compensated'), '6 hours')).toMatchObject({ attention: null });
    },
  );
});

describe('a card order that is not settled', () => {
  test('because the card is denied ends denied, without attention', async ({ order }) => {
    await order.submitted();
    order.service.shows('denied');
    const result = await order.result();
    expect(result).toMatchObject({ status: 'denied', attention: null, closed: true });
  });

  test('because it is denied in the answer itself is shown so at once', async ({ order }) => {
    await order.start('denied-at-once');
    expect(await order.until(statusIs('denied'))).toMatchObject({ service_id: order.id() });
  });

  test('as error is read on, and turns paid and settled', async ({ order }) => {
    await order.submitted();
    order.service.shows('error');
    await order.until(statusIs('error'));
    order.service.shows('paid');
    await order.until(statusIs('paid'), '6 hours');
    order.service.shows('compensated');
    expect(await order.until(statusIs('compensated'), '6 hours')).toMatchObject({ attention: null });
  });

  test('because the service refuses it is rejected with its words, and charged nothing', async ({
    order,
  }) => {
    const result = await (await order.start('422-text')).result();
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true, service_id: null });
    expect(result.refusal).toContain('422');
    expect(order.made()).toHaveLength(0);
  });

  test('needs attention when it is charged back, and no more when that is reversed', async ({ order }) => {
    await order.settled();
    order.service.shows('chargeback');
    const charged = await order.until(attentionIs('chargeback'), '1 day');
    expect(charged.attention_detail).toContain('acknowledgeAttention');
    order.service.shows('compensated');
    await order.until(({ status, attention }) => status === 'compensated' && attention === null, '1 day');
  });

  test('follows a refund that was made elsewhere, long after its settlement', async ({ order }) => {
    await order.settled();
    await order.after('60 days');
    order.service.shows('refunded');
    const refunded = await order.until(statusIs('refunded'), '1 day');
    expect(refunded).toMatchObject({ attention: null, closed: false });
  });

  test('stays open while a chargeback is not acknowledged, and ends its watch afterwards', async ({
    order,
  }) => {
    await order.submitted();
    order.service.shows('chargeback');
    await order.until(attentionIs('chargeback'));
    expect(await order.after('200 days')).toMatchObject({ closed: false });
    const seen = await order.command('acknowledgeAttention', { reason: 'accepted', by: 'ana' });
    expect(seen).toMatchObject({ attention: null, status: 'chargeback' });
    const result = await order.result();
    expect(result.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: 'accepted' });
  });

  test('needs attention when it is not settled 45 days after it was paid, and goes on being read', async ({
    order,
  }) => {
    await order.submitted();
    order.service.shows('paid');
    const paid = await order.until(statusIs('paid'));
    const overdue = await order.until(attentionIs('overdue'), '1 day');
    const days = (Date.parse(overdue.updated_at) - Date.parse(paid.updated_at)) / 86_400_000;
    expect(Math.floor(days)).toBeGreaterThanOrEqual(45);
    expect(Math.floor(days)).toBeLessThan(47);
    expect(await order.command('acknowledgeAttention')).toMatchObject({ attention: null, status: 'paid' });
    order.service.shows('compensated');
    await order.until(statusIs('compensated'), '1 day');
  });

  test('needs attention when its status is not documented, and goes on', async ({ order }) => {
    await order.submitted();
    order.service.shows('under_review');
    await order.until(attentionIs('unrecognised_status'));
    order.service.shows('compensated');
    await order.until(({ status, attention }) => status === 'compensated' && attention === null);
  });

  test.for(['read-value-other-always', 'read-id-other-always'])(
    'needs attention when a read comes with %s, and does not apply it',
    async (tag, { order }) => {
      await order.submitted(tag);
      order.service.shows('compensated');
      const state = await order.until(attentionIs('inconsistent_answer'));
      expect(state.status).toBe('waiting_payment');
    },
  );
});

describe('a cancel request', () => {
  test('before anything was sent ends the order as cancelled', async ({ order }) => {
    await order.start('', { card: undefined });
    await order.until(statusIs('awaiting_card'), '1 second');
    await order.cancel();
    expect(await order.result()).toMatchObject({
      status: 'cancelled',
      closed: true,
      attention: null,
    });
    expect(order.made()).toHaveLength(0);
  });
});

describe('a start that is not valid', () => {
  const invalidInput = { status: 'rejected', attention: 'invalid_input', closed: true };

  test.for([
    ['with the card beside the order', true],
    ['with the card beside the order and a reference to the card store', false],
  ] as const)('%s is refused and never repeats it', async ([, withoutReference], { code, orders }) => {
    const input = cardOrder(code, 'Two tickets', {
      credit_card: testCard,
      ...(withoutReference ? {} : { card: orders.cards.stored() }),
    });
    const result = await (await orders.startAs(`order-${code}`, input)).result();
    expect(result).toMatchObject(invalidInput);
    expect(JSON.stringify(result)).not.toContain(testCard.number);
    expect(orders.made(code)).toHaveLength(0);
  });

  test.for(['tok_123', {}, { card_ref: 'x', task_queue: 'elsewhere' }, 7])(
    'with %j for a card is refused: nothing was sent',
    async (card, { code, orders }) => {
      const order = await orders.startAs(`order-${code}`, cardOrder(code, 'Two tickets', { card }));
      expect(await order.result()).toMatchObject(invalidInput);
      expect(orders.made(code)).toHaveLength(0);
    },
  );
});
