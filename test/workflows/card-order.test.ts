import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

test('a card that never came is awaited; without one the order is rejected', async ({ order }) => {
  await order.start('', { card: undefined });
  await order.until(statusIs('awaiting_card'), '1 second');
  // As a bare client may send it.
  await order.signal('postbackReceived');
  expect(await order.state()).toMatchObject({ status: 'awaiting_card' });
  const result = await order.result('1 minute', 20);
  expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true });
  expect(order.made()).toHaveLength(0);
});

describe('a card order', () => {
  test('that is denied ends so, without attention', async ({ order }) => {
    await order.submitted();
    order.service.shows('denied');
    expect(await order.until(statusIs('denied'))).toMatchObject({ service_id: order.id() });
    expect(await order.result()).toMatchObject({ status: 'denied', attention: null, closed: true });
  });

  test('as error is read on, and turns paid and settled', async ({ order }) => {
    await order.submitted();
    for (const status of ['error', 'paid', 'compensated']) {
      order.service.shows(status);
      expect(await order.until(statusIs(status), '6 hours')).toMatchObject({ attention: null });
    }
  });

  test('needs attention when it is charged back, and no more when that is reversed', async ({ order }) => {
    await order.settled();
    order.service.shows('chargeback');
    const charged = await order.until(attentionIs('chargeback'), '1 day');
    expect(charged.attention_detail).toContain('acknowledgeAttention');
    order.service.shows('compensated');
    expect(await order.until(statusIs('compensated'), '1 day')).toMatchObject({ attention: null });
  });

  test('needs attention when it is not settled 45 days after its payment', async ({ order }) => {
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
});
