import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { card, cardOrder, newCode, pixPayout } from '../../gateway/requests.js';
import { attackedGatewayForAllTests } from '../support/attacked-gateway.js';

const gateway = await attackedGatewayForAllTests();
// In the times of production, in which Temporal’s search attributes are seconds behind a young order.
const unhurried = await attackedGatewayForAllTests({ pollScale: 1 });

test('another OMS learns nothing of a payout whose code it puts into a batch', async () => {
  const payout = await gateway.failedPayout();
  await expect.poll(async () => (await gateway.asOwner('GET', '/v1/payouts')).text).toContain(payout);
  const batch = { batch_id: `b-${newCode()}x`, payouts: [{ method: 'pix', ...pixPayout(payout) }] };
  expect((await gateway.asOther('POST', '/v1/payout-batches', batch)).status).toBe(202);
  const path = `/v1/payout-batches/${batch.batch_id}`;
  await expect.poll(async () => (await gateway.asOther('GET', path)).body.status).toBe('finished');
  expect((await gateway.asOther('GET', `${path}?payouts=true`)).body.payouts).toEqual({});
});

test('another OMS reads no refund that an operator has requested, when it gives an order its code', async () => {
  const { id } = await gateway.paidOrder();
  const code = newCode();
  const path = `/v1/orders/${code}`;
  expect((await gateway.asOwner('POST', `${path}/refund`, { service_id: id })).status).toBeLessThan(300);
  await expect.poll(async () => (await gateway.asOwner('GET', `${path}/refund`)).status).toBe(200);
  const refused = cardOrder(code);
  refused.customer.email = 'sandbox+422@example.com';
  expect((await gateway.asOther('POST', '/v1/orders/card', refused)).status).toBeLessThan(300);
  await expect.poll(async () => (await gateway.asOther('GET', path)).body.status).toBe('rejected');
  expect((await gateway.asOther('GET', `${path}/refund`)).status).toBe(404);
});

test('the code of an order that was just accepted leads to no refund of another order, in a read or a command', async () => {
  const { id } = await unhurried.paidOrder();
  const code = newCode();
  const refund = `/v1/orders/${code}/refund`;
  const wait = { prefer: 'wait=10' };
  expect((await unhurried.asOwner('POST', refund, { service_id: id }, wait)).status).toBe(201);
  await expect.poll(async () => (await unhurried.asOwner('GET', refund)).status).toBe(200);
  const accepted = await unhurried.asOther('POST', '/v1/orders/card', cardOrder(code), wait);
  expect(accepted.body).toMatchObject({ service_id: expect.any(String) as string, closed: false });

  expect((await unhurried.asOther('GET', refund)).status).toBe(404);
  for (const [command, body] of [
    ['retry', { nothing_queued: true }],
    ['resolve', { outcome: 'refunded' }],
    ['acknowledge', { attention: 'refund_failed' }],
  ] as const) {
    const asked = { reason: 'checked at the service', ...body };
    expect([command, (await unhurried.asOwner('POST', `${refund}/${command}`, asked)).status]).toEqual([
      command,
      404,
    ]);
  }
});

/** Puts a card into the card store: where it waits. */
async function storedCard() {
  const { status, body } = await gateway.asOwner('POST', '/v1/cards', card());
  expect(status).toBe(201);
  return { card_ref: body.card_ref, task_queue: body.task_queue };
}

test('a card is for each key of the name that has put it into the card store', async () => {
  const stored = await storedCard();
  const { credit_card: _card, ...asked } = cardOrder();
  const code = asked.order.partner_code;
  const headers = { prefer: 'wait=30' };
  await gateway.bySecondKey('POST', '/v1/orders/card', { ...asked, card: stored }, headers);
  await expect.poll(() => gateway.ledgerOf(code)).toEqual(['waiting_payment']);
});

test('another OMS pays with no card of others, and its order goes on as if there was no such card', async () => {
  const waiting = await storedCard();
  const { credit_card: _card, ...asked } = cardOrder();
  const outcomeOf = async (stored: typeof waiting) => {
    const code = newCode();
    const theirs = { ...asked, order: { ...asked.order, partner_code: code }, card: stored };
    expect((await gateway.asOther('POST', '/v1/orders/card', theirs)).status).toBeLessThan(300);
    const state = async () => (await gateway.asOther('GET', `/v1/orders/${code}`)).body;
    await expect.poll(async () => (await state()).status).not.toBe('submitting');
    const { status, attention, timeline } = await state();
    expect(gateway.ledgerOf(code)).toEqual([]);
    return { status, attention, timeline: timeline.map(({ what }) => what) };
  };
  const nowhere = await outcomeOf({ ...waiting, card_ref: randomUUID() });
  expect(nowhere.status).toBe('awaiting_card');
  expect(await outcomeOf(waiting)).toEqual(nowhere);
  // It is still there for its owner.
  const own = { ...asked, order: { ...asked.order, partner_code: newCode() }, card: waiting };
  await gateway.asOwner('POST', '/v1/orders/card', own);
  await expect.poll(() => gateway.ledgerOf(own.order.partner_code)).toEqual(['waiting_payment']);
});
