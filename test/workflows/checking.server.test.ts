import { expect } from 'vitest';
import { statusIs } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { cardOrder, freshCode } from '../support/requests.js';

let failures = 0;
const test = payments.extend('stackOptions', { scope: 'file' }, () => ({
  activities: {
    checkInput: () => {
      failures += 1;
      if (failures < 20) throw new Error('This worker lacks a key.');
      return Promise.resolve({ problems: [] });
    },
  },
}));

test('a payment whose request can not be checked just now is not lost: it is checked until that works', async ({
  orders,
}) => {
  const code = freshCode();
  const order = await orders.startAs(`order-${code}`, cardOrder(code));
  await order.until(statusIs('awaiting_card'));
  expect(failures).toBe(20);
});
