import { expect, test } from 'vitest';
import { createCardOrder } from '../../activities/create-card-order.js';
import { answers, startRawServer, type Behaviour } from '../payments-service/raw-server.js';
import { cardOn, depsFor, dispatched, firstDispatch, orderInput, sendsCard } from './support.js';
import { testCard } from '../support/requests.js';
import type { TestDeps } from './support.js';

const echo = answers(400, JSON.stringify({ error: 'denied', credit_card: testCard }));

/** A worker before a service that behaves so, with the card of an order. */
async function withCard(behave: Behaviour = answers(201)) {
  const server = await startRawServer(behave);
  const deps = depsFor(server.url);
  const card = cardOn(deps.cardStore);
  const send = (order: object = orderInput, dispatch = firstDispatch()) =>
    dispatch.run(createCardOrder(deps), { ...sendsCard(card), order });
  return { card, deps, send, server };
}

test.each<[string, Behaviour, number]>([
  ['unauthorized', answers(401), 1],
  ['throttled', answers(429), 1],
  ['refused', echo, 0],
  ['unknown', (socket) => socket.destroy(), 0],
  ['answered', answers(201, '{"id":"1","status":"denied"}'), 0],
])('after %s the card is given back only when nothing happened', async (expected, behave, held) => {
  const { card, deps, send } = await withCard(behave);
  const outcome = await send();
  expect(outcome.outcome).toBe(expected);
  expect(JSON.stringify(outcome)).not.toMatch(/4111111111111111|(?<!\d)737(?!\d)/);
  expect(deps.cardStore.held).toBe(held);
  expect(deps.cardStore.lease(card.card_ref) !== undefined).toBe(held === 1);
});

test('a card that is no longer at the card store sends nothing', async () => {
  const { card, deps, send, server } = await withCard();
  deps.cardStore.discard(card.card_ref);
  expect(await send()).toMatchObject({ outcome: 'card_gone' });
  expect(server.connections()).toBe(0);
});

test('a restored Temporal that sends a card again is answered that the outcome is unknown', async () => {
  const { send, server } = await withCard(answers(201, '{"id":"1","status":"waiting_payment"}'));
  expect(await send()).toMatchObject({ outcome: 'answered' });
  expect(await send()).toMatchObject({ outcome: 'unknown' });
  expect(server.connections()).toBe(1);
});

test('a repeated dispatch answers that the outcome is unknown, not that the card is gone', async () => {
  const { card, deps, send } = await withCard();
  deps.cardStore.lease(card.card_ref)?.burn();
  expect(await send(orderInput, firstDispatch({ attempt: 2 }))).toMatchObject({ outcome: 'unknown' });
});

test('a card stays at the card store when the order is not usable or there is no token', async () => {
  const { card, deps, send } = await withCard();
  expect(await send({ order: {} })).toMatchObject({ outcome: 'invalid_input' });
  deps.tokens.missing = true;
  expect(await send()).toMatchObject({ outcome: 'not_sent' });
  expect(deps.cardStore.lease(card.card_ref)).toBeDefined();
});

test('a reference that is none of a card store is invalid', async () => {
  const input = { ...sendsCard({ card_ref: 'x', task_queue: 'payments' }), order: orderInput };
  const outcome = await firstDispatch().run(createCardOrder(depsFor('http://127.0.0.1:9')), input);
  expect(outcome).toMatchObject({ outcome: 'invalid_input', problems: [{ field: 'card.card_ref' }, {}] });
});

test.for([
  ['shop', 'market', null, 'card_gone'],
  ['shop', 'shop', null, 'answered'],
  ['shop', null, null, 'answered'],
  ['ana', 'market', 'ana', 'answered'],
  ['ana', 'market', null, 'card_gone'],
  ['shop', 'market', 'market', 'card_gone'],
] as const)(
  'a card of %s in a payment of %s, given by %s: %s',
  async ([ofCard, owner, given_by, expected]) => {
    const inputOf = ({ cardStore }: TestDeps) => ({
      ...sendsCard(cardStore.put(testCard, ofCard), { owner, given_by }),
      order: orderInput,
    });
    const { deps, outcome } = await dispatched(createCardOrder, inputOf);
    expect(outcome.outcome).toBe(expected);
    expect(deps.cardStore.held).toBe(expected === 'card_gone' ? 1 : 0);
  },
);
