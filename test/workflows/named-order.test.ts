import { expect, test } from 'vitest';
import { cardOrderLifecycle } from '../../workflows/card-order.js';
import { CardOrderPayment } from '../../workflows/order/card-order-payment.js';
import { noSuchCalls } from '../exploration/no-such-calls.js';
import { card, customer, order, partnerCode } from '../exploration/order-model.js';
import type { Answers } from '../exploration/answers.js';
import { ScriptedEngine } from '../exploration/scripted-engine.js';
import { factsOf, startsAt } from '../exploration/world.js';

test('an order that was refused and is named goes on while our own payments can not be searched', async () => {
  const clock = { now: startsAt };
  const searched: { owner?: string | null } = {};
  const answers: Answers = {
    calls: {
      ...noSuchCalls,
      createCardOrder: () => Promise.resolve({ outcome: 'refused', reason: '422', http_status: 422 }),
    },
    readPayout: () => ({ kind: 'not_found' }),
    readOrder: () => ({
      kind: 'read',
      reading: { service_id: '7', partner_code: null, value_centavos: null, status: 'paid' },
    }),
    scan: () => undefined,
    ownerOf: () => searched.owner,
    wasReset: () => false,
  };
  const run = { id: 1, originalId: 1, afterReset: false, resetBefore: null };
  const payment = new CardOrderPayment(
    { order: { ...order, installments: 1 }, customer, card },
    factsOf(`order-${partnerCode}`, run, clock),
  );
  const live = async () => {
    const engine = new ScriptedEngine(payment, clock, answers);
    return engine.live((loop) => cardOrderLifecycle(loop, payment));
  };
  await live();
  expect(payment.view()).toMatchObject({ status: 'rejected', attention: null });
  payment.onPostback({ received_at: new Date(startsAt).toISOString(), content_type: null, body: '{"id":7}' });
  expect(await live()).toMatchObject({ kind: 'waits', until: startsAt + 15 * 60_000 });
  expect(payment.view()).toMatchObject({ status: 'rejected', attention: null });
  searched.owner = null;
  clock.now += 15 * 60_000;
  await live();
  expect(payment.view()).toMatchObject({ attention: 'submission_unknown' });
});
