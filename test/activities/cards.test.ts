import { expect, test } from 'vitest';
import { createCardOrder } from '../../activities/create-card-order.js';
import { answers, startRawServer, type Behaviour } from '../payments-service/raw-server.js';
import { cardOn, depsFor, storedCard, firstDispatch, orderInput, sendsCard } from './support.js';

const echo = answers(400, JSON.stringify({ error: 'denied', credit_card: storedCard }));

test.each<[string, Behaviour, string, boolean]>([
  ['unauthorized', answers(401), 'unauthorized', true],
  ['throttled', answers(429), 'throttled', true],
  ['refused', echo, 'refused', false],
  ['unknown', (socket) => socket.destroy(), 'unknown', false],
  ['answered', answers(201, '{"id":"1","status":"denied"}'), 'answered', false],
])('after %s the card is given back only when nothing happened', async (_, behave, expected, waits) => {
  const server = await startRawServer(behave);
  const deps = depsFor(server.url);
  const card = cardOn(deps.cardStore);
  const outcome = await firstDispatch().run(createCardOrder(deps), {
    ...sendsCard(card),
    order: orderInput,
  });
  expect(outcome.outcome).toBe(expected);
  expect(JSON.stringify(outcome)).not.toMatch(/4111111111111111|(?<!\d)737(?!\d)/);
  expect(deps.cardStore.held).toBe(waits ? 1 : 0);
  expect(deps.cardStore.lease(card.card_ref) !== undefined).toBe(waits);
});

test('a card that is no longer at the card store sends nothing', async () => {
  const server = await startRawServer(answers(201));
  const deps = depsFor(server.url);
  const card = cardOn(deps.cardStore);
  deps.cardStore.discard(card.card_ref);
  const outcome = await firstDispatch().run(createCardOrder(deps), {
    ...sendsCard(card),
    order: orderInput,
  });
  expect(outcome).toMatchObject({ outcome: 'card_gone' });
  expect(server.connections()).toBe(0);
});

test('a restored Temporal that sends a card again is answered that the outcome is unknown', async () => {
  const server = await startRawServer(answers(201, '{"id":"1","status":"waiting_payment"}'));
  const deps = depsFor(server.url);
  const order = { ...sendsCard(cardOn(deps.cardStore)), order: orderInput };
  const send = () => firstDispatch().run(createCardOrder(deps), order);
  expect(await send()).toMatchObject({ outcome: 'answered' });
  expect(await send()).toMatchObject({ outcome: 'unknown' });
  expect(server.connections()).toBe(1);
});

test('a repeated dispatch answers that the outcome is unknown, not that the card is gone', async () => {
  const server = await startRawServer(answers(201));
  const deps = depsFor(server.url);
  const card = cardOn(deps.cardStore);
  deps.cardStore.lease(card.card_ref)?.burn();
  const outcome = await firstDispatch({ attempt: 2 }).run(createCardOrder(deps), {
    ...sendsCard(card),
    order: orderInput,
  });
  expect(outcome).toMatchObject({ outcome: 'unknown' });
});

test('a card stays at the card store when the order is not usable or there is no token', async () => {
  const deps = depsFor('http://127.0.0.1:9');
  const card = cardOn(deps.cardStore);
  const create = createCardOrder(deps);
  const invalid = await firstDispatch().run(create, { ...sendsCard(card), order: { order: {} } });
  expect(invalid).toMatchObject({ outcome: 'invalid_input' });
  deps.tokens.missing = true;
  const noToken = await firstDispatch().run(create, { ...sendsCard(card), order: orderInput });
  expect(noToken).toMatchObject({ outcome: 'not_sent' });
  expect(deps.cardStore.lease(card.card_ref)).toBeDefined();
});

test('a reference that is none of a card store is invalid', async () => {
  const deps = depsFor('http://127.0.0.1:9');
  const outcome = await firstDispatch().run(createCardOrder(deps), {
    ...sendsCard({ card_ref: 'x', task_queue: 'payments' }),
    order: orderInput,
  });
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
    const server = await startRawServer(answers(201, '{"id":"1","status":"waiting_payment"}'));
    const deps = depsFor(server.url);
    const reference = deps.cardStore.put(storedCard, ofCard);
    const outcome = await firstDispatch().run(createCardOrder(deps), {
      ...sendsCard(reference, { owner, given_by }),
      order: orderInput,
    });
    expect(outcome.outcome).toBe(expected);
    expect(deps.cardStore.held).toBe(expected === 'card_gone' ? 1 : 0);
  },
);
