import { expect } from 'vitest';
import { statusIs } from '../support/payment.js';
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

test('a card order as error is read on, and turns paid and settled', async ({ order }) => {
  await order.submitted();
  for (const status of ['error', 'paid', 'compensated']) {
    order.service.shows(status);
    expect(await order.until(statusIs(status), '6 hours')).toMatchObject({ attention: null });
  }
});
