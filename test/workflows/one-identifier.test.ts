import { expect, test } from 'vitest';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { cardOrderLifecycle } from '../../workflows/card-order.js';
import { CardOrderPayment } from '../../workflows/order/card-order-payment.js';
import { RefundPayment } from '../../workflows/refund/payment.js';
import { refundLifecycle } from '../../workflows/refund.js';
import { boundCommand } from '../../workflows/shared/incoming.js';
import { noSuchCalls, nothing } from '../exploration/no-such-calls.js';
import { card, customer, order, partnerCode } from '../exploration/order-model.js';
import type { Answers } from '../exploration/answers.js';
import { ScriptedEngine } from '../exploration/scripted-engine.js';
import { factsOf, firstRun, operator, startsAt } from '../exploration/world.js';

const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';

type Calls = Answers['calls'];
const answeredAs = (service_id: string) => () =>
  Promise.resolve({ outcome: 'answered', service_id, status: null } as const);

/** A service that answers every read of an order as that of a paid one with this identifier. */
const showing = (
  service_id: string,
  calls: Partial<Calls>,
  { asked = [], ownerOf = () => null }: { asked?: string[]; ownerOf?: Answers['ownerOf'] } = {},
): Answers => ({
  ...nothing,
  calls: { ...noSuchCalls, ...calls },
  readOrder: (id) => {
    asked.push(id);
    const reading = { service_id, partner_code: null, value_centavos: null, status: 'paid' };
    return { kind: 'read', reading };
  },
  ownerOf,
});

function cardOrderWith(answers: Answers) {
  const clock = { now: startsAt };
  const input = { order: { ...order, installments: 1 }, customer, card };
  const payment = new CardOrderPayment(input, factsOf(`order-${partnerCode}`, firstRun, clock));
  const engine = new ScriptedEngine(payment, clock, answers);
  return { clock, payment, engine, goOn: () => engine.live((loop) => cardOrderLifecycle(loop, payment)) };
}

test('an order that the service names in small letters, and reads show in capitals, is followed', async () => {
  const asked: string[] = [];
  const answers = showing(small.toUpperCase(), { createCardOrder: answeredAs(small) }, { asked });
  const { payment, goOn } = cardOrderWith(answers);
  await goOn();
  expect(payment.view()).toMatchObject({ status: 'paid', attention: null, service_id: small });
  // In the spelling that the service gave.
  expect(new Set(asked)).toEqual(new Set([small]));
});

test('a refund is requested and followed though the service writes its order in other capitals', async () => {
  const clock = { now: startsAt };
  const input = { partner_code: partnerCode, service_id: small.toUpperCase() };
  const payment = new RefundPayment(input, factsOf(refundWorkflowId(small), firstRun, clock));
  const engine = new ScriptedEngine(payment, clock, showing(small, { requestRefund: answeredAs(small) }));
  await engine.live((loop) => refundLifecycle(loop, payment));
  expect(payment.view()).toMatchObject({ status: 'refund_processing', attention: null, requests: 1 });
});

test('an order that every read shows under another identifier is followed by that once an operator names it', async () => {
  const { engine, goOn, payment } = cardOrderWith(showing('ord-1', { createCardOrder: answeredAs('ord_1') }));
  await goOn();
  expect(payment.view()).toMatchObject({ status: 'submitting', attention: 'inconsistent_answer' });
  for (const [name, message] of [
    ['resolveSubmission', { service_id: 'ord-1' }],
    ['acknowledgeAttention', { attention: 'inconsistent_answer' }],
  ] as const) {
    const done = engine.loop.queue.execute(boundCommand(payment, name, { ...operator, ...message }));
    await goOn();
    await done;
  }
  expect(payment.view()).toMatchObject({ status: 'paid', attention: null, service_id: 'ord-1' });
});

test('an order that was refused and is named goes on while our own payments can not be searched', async () => {
  const searched: { owner?: string | null } = {};
  const createCardOrder = () =>
    Promise.resolve({ outcome: 'refused', reason: '422', http_status: 422 } as const);
  const answers = showing('7', { createCardOrder }, { ownerOf: () => searched.owner });
  const { clock, goOn, payment } = cardOrderWith(answers);
  await goOn();
  payment.onPostback({ received_at: new Date(startsAt).toISOString(), content_type: null, body: '{"id":7}' });
  expect(await goOn()).toMatchObject({ kind: 'waits', until: startsAt + 15 * 60_000 });
  expect(payment.view()).toMatchObject({ status: 'rejected', attention: null });
  searched.owner = null;
  clock.now += 15 * 60_000;
  await goOn();
  expect(payment.view()).toMatchObject({ attention: 'submission_unknown' });
});
