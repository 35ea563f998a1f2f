import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderState } from '../../src/contract/state.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { cardOrder, freshCode } from '../support/requests.js';

let rig: PaymentRig;
let failures = 0;
beforeAll(async () => {
  rig = await startPaymentRig({
    activities: {
      checkInput: () => {
        failures += 1;
        if (failures < 20) throw new Error('This worker lacks a key.');
        return Promise.resolve({ problems: [] });
      },
    },
  });
});
afterAll(() => rig.close());

test('a payment whose request can not be checked just now is not lost: it is checked until it can be', async () => {
  const code = freshCode();
  const handle = await rig.start('cardOrder', `order-${code}`, cardOrder(code));
  await rig.until<OrderState>(handle, ({ status }) => status === 'awaiting_card');
  expect(failures).toBe(20);
  await rig.finish('all');
});
