import { expect, test } from 'vitest';
import { cardOrderLifecycle } from '../../workflows/card-order.js';
import { CardOrderPayment } from '../../workflows/order/card-order-payment.js';
import { noSuchCalls } from '../exploration/no-such-calls.js';
import { card, customer, order, partnerCode } from '../exploration/order-model.js';
import { ScriptedContext, type Answers } from '../exploration/scripted-context.js';
import { factsOf, startsAt } from '../exploration/world.js';

const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';

test('an order that the service names in small letters, and reads show in capitals, is followed', async () => {
  const clock = { now: startsAt };
  const asked: string[] = [];
  const answers: Answers = {
    calls: {
      ...noSuchCalls,
      createCardOrder: () => Promise.resolve({ outcome: 'answered', service_id: small, status: null }),
    },
    readPayout: () => ({ kind: 'not_found' }),
    readOrder: (id) => {
      asked.push(id);
      const service_id = small.toUpperCase();
      return {
        kind: 'read',
        reading: { service_id, partner_code: null, value_centavos: null, status: 'paid' },
      };
    },
    scan: () => undefined,
    ownerOf: () => null,
    wasReset: () => false,
  };
  const run = { id: 1, originalId: 1, afterReset: false, resetBefore: null };
  const input = { order: { ...order, installments: 1 }, customer, card };
  const payment = new CardOrderPayment(input, factsOf(`order-${partnerCode}`, run, clock));
  const ctx = new ScriptedContext(payment, clock, answers);
  await ctx.live(() => cardOrderLifecycle(ctx, payment));
  expect(payment.view()).toMatchObject({ status: 'paid', attention: null, service_id: small });
  // In the spelling that the service gave.
  expect(new Set(asked)).toEqual(new Set([small]));
});
