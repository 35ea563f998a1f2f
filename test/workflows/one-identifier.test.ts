import { expect, test } from 'vitest';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { cardOrderLifecycle } from '../../workflows/card-order.js';
import { CardOrderPayment } from '../../workflows/order/card-order-payment.js';
import { RefundPayment } from '../../workflows/refund/payment.js';
import { refundLifecycle } from '../../workflows/refund.js';
import { noSuchCalls, nothing } from '../exploration/no-such-calls.js';
import { order, partnerCode } from '../exploration/order-model.js';
import { card, customer } from '../simulation/lifecycles.js';
import type { Answers } from '../exploration/answers.js';
import { ScriptedEngine } from '../exploration/scripted-engine.js';
import { factsOf, firstRun, startsAt } from '../exploration/world.js';

const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';

type Calls = Answers['calls'];

/** A service that answers every read of an order as that of a paid one with this identifier. */
const showing = (
  service_id: string,
  calls: Partial<Calls>,
  ownerOf: Answers['ownerOf'] = () => null,
): Answers => ({
  ...nothing,
  calls: { ...noSuchCalls, ...calls },
  readOrder: () => {
    const reading = { service_id, partner_code: null, value_centavos: null, status: 'paid' };
    return { kind: 'read', reading };
  },
  ownerOf,
});

test('a refund is requested and followed though the service writes its order in other capitals', async () => {
  const clock = { now: startsAt };
  const input = { partner_code: partnerCode, service_id: small.toUpperCase() };
  const payment = new RefundPayment(input, factsOf(refundWorkflowId(small), firstRun, clock));
  const requestRefund = () =>
    Promise.resolve({ outcome: 'answered', service_id: small, status: null } as const);
  const engine = new ScriptedEngine(payment, clock, showing(small, { requestRefund }));
  await engine.live((loop) => refundLifecycle(loop, payment));
  expect(payment.view()).toMatchObject({ status: 'refund_processing', attention: null, requests: 1 });
});

test('an order that was refused and is named goes on while our own payments can not be searched', async () => {
  const searched: { owner?: string | null } = {};
  const createCardOrder = () =>
    Promise.resolve({ outcome: 'refused', reason: '422', http_status: 422 } as const);
  const answers = showing('7', { createCardOrder }, () => searched.owner);
  const clock = { now: startsAt };
  const input = { order: { ...order, installments: 1 }, customer, card };
  const payment = new CardOrderPayment(input, factsOf(`order-${partnerCode}`, firstRun, clock));
  const engine = new ScriptedEngine(payment, clock, answers);
  const goOn = () => engine.live((loop) => cardOrderLifecycle(loop, payment));
  await goOn();
  payment.onPostback({ received_at: new Date(startsAt).toISOString(), content_type: null, body: '{"id":7}' });
  expect(await goOn()).toMatchObject({ kind: 'waits', until: startsAt + 15 * 60_000 });
  expect(payment.view()).toMatchObject({ status: 'rejected', attention: null });
  searched.owner = null;
  clock.now += 15 * 60_000;
  await goOn();
  expect(payment.view()).toMatchObject({ attention: 'submission_unknown' });
});
