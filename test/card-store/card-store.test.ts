import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test as base, vi } from 'vitest';
import {
  CardStore,
  CardQuotaExceeded,
  CardStoreRefusal,
  cardStoreLimits,
} from '../../src/card-store/card-store.js';
import { cardReference } from '../../src/contract/card.js';
import { testCard as card } from '../support/requests.js';

const queue = 'card-store-11111111-2222-4333-8444-555555555555';
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const cardStore = (maxCards = 10) => new CardStore(queue, { maxCards, lifeMs: 10 * minute });

/** A card store that has taken a card under this reference. */
const test = base
  .extend('cards', () => cardStore())
  .extend('card_ref', ({ cards }) => cards.put(card).card_ref);

test('a card is taken under a reference of the contract', () => {
  const ticket = cardStore().put(card);
  expect(cardReference.parse(ticket)).toEqual(ticket);
  expect(ticket.task_queue).toBe(queue);
  expect(Date.parse(ticket.expires_at) - Date.now()).toBe(10 * minute);
});

test('a leased card is out for everyone else until it is given back', ({ cards, card_ref }) => {
  const lease = cards.lease(card_ref);
  expect(lease?.card).toEqual(card);
  expect(cards.lease(card_ref)).toBeUndefined();
  lease?.giveBack();
  expect(cards.lease(card_ref)?.card).toEqual(card);
});

test('a burnt card is gone, also when it is given back afterwards', ({ cards, card_ref }) => {
  const lease = cards.lease(card_ref);
  lease?.burn();
  lease?.giveBack();
  expect(cards.lease(card_ref)).toBeUndefined();
});

test('a card that was used, or is being used, is remembered as long as a card lives; one given back is not', () => {
  const cards = cardStore();
  const [used, givenBack] = [cards.put(card).card_ref, cards.put(card).card_ref];
  const lease = cards.lease(used);
  expect(cards.mayHaveBeenUsed(used)).toBe(true);
  lease?.burn();
  cards.lease(givenBack)?.giveBack();
  expect(cards.mayHaveBeenUsed(used)).toBe(true);
  expect(cards.mayHaveBeenUsed(givenBack)).toBe(false);
  vi.advanceTimersByTime(10 * minute - 1);
  expect(cards.mayHaveBeenUsed(used)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(cards.mayHaveBeenUsed(used)).toBe(false);
});

test('a card is gone when its life is over', ({ cards, card_ref }) => {
  vi.advanceTimersByTime(10 * minute);
  expect(cards.lease(card_ref)).toBeUndefined();
});

test('giving back does not lengthen a life', ({ cards, card_ref }) => {
  const first = cards.lease(card_ref);
  vi.advanceTimersByTime(9 * minute);
  first?.giveBack();
  const second = cards.lease(card_ref);
  vi.advanceTimersByTime(2 * minute);
  second?.giveBack();
  expect(cards.lease(card_ref)).toBeUndefined();
});

test('a full card store refuses further cards until one is gone, and leases count', () => {
  const cards = cardStore(1);
  const { card_ref } = cards.put(card);
  expect(() => cards.put(card)).toThrow(CardStoreRefusal);
  const lease = cards.lease(card_ref);
  expect(() => cards.put(card)).toThrow(CardStoreRefusal);
  lease?.burn();
  expect(() => cards.put(card)).not.toThrow();
});

test('one API key can not fill the card store for others, and leases count', () => {
  const cards = new CardStore(queue, { maxCards: 10, maxCardsPerKey: 2, lifeMs: 10 * minute });
  const first = cards.put(card, 'greedy');
  const second = cards.put(card, 'greedy');
  const lease = cards.lease(first.card_ref);
  expect(() => cards.put(card, 'greedy')).toThrow(CardQuotaExceeded);
  expect(() => cards.put(card, 'modest')).not.toThrow();
  lease?.giveBack();
  expect(() => cards.put(card, 'greedy')).toThrow(CardQuotaExceeded);
  cards.lease(first.card_ref)?.burn();
  expect(() => cards.put(card, 'greedy')).not.toThrow();
  cards.discard(second.card_ref);
  expect(() => cards.put(card, 'greedy')).not.toThrow();
  expect(() => cards.put(card, 'greedy')).toThrow(CardQuotaExceeded);
  vi.advanceTimersByTime(10 * minute);
  expect(() => cards.put(card, 'greedy')).not.toThrow();
});

test('the card store of a gateway leaves most of its room to other API keys', () => {
  const cards = new CardStore(queue);
  const put = () => cards.put(card, 'shop');
  while (cards.held < cardStoreLimits.maxCards / 2) {
    const held = cards.held;
    try {
      put();
    } catch {
      expect(held).toBeLessThanOrEqual(cardStoreLimits.maxCards / 4);
      break;
    }
  }
  expect(put).toThrow(CardQuotaExceeded);
  expect(cards.put(card, 'market')).toBeDefined();
});

test('a card store that takes no more still serves the cards it has', ({ cards, card_ref }) => {
  cards.stopTaking();
  expect(() => cards.put(card)).toThrow(CardStoreRefusal);
  expect(cards.lease(card_ref)).toBeDefined();
});

test('closing drops waiting cards and waits for the leases that are out', async () => {
  const cards = cardStore();
  const waiting = cards.put(card);
  const lease = cards.lease(cards.put(card).card_ref);
  const events: string[] = [];
  const closed = cards.close().then(() => events.push('closed'));
  expect(cards.lease(waiting.card_ref)).toBeUndefined();
  await Promise.resolve();
  events.push('lease ends');
  lease?.giveBack();
  await closed;
  expect(events).toEqual(['lease ends', 'closed']);
});

test('a closed card store keeps nothing that is given back', async ({ cards, card_ref }) => {
  const lease = cards.lease(card_ref);
  const closed = cards.close();
  lease?.giveBack();
  await closed;
  expect(cards.lease(card_ref)).toBeUndefined();
});

test('neither card store nor lease shows a card to whoever prints, logs, copies or serialises it', () => {
  const cards = cardStore();
  const lease = cards.lease(cards.put(card).card_ref);
  cards.put(card);
  const everything = { cards, lease, copy: { ...lease }, keys: Object.entries(lease ?? {}) };
  const shown = [
    inspect(everything, { depth: 10, showHidden: true, getters: true }),
    JSON.stringify(everything),
  ].join();
  // A reference is hexadecimal: a few digits count where they stand by themselves.
  expect(shown).not.toMatch(/4111111111111111|(?<![\da-f])(4111|1111|737)(?![\da-f])|MARIA/);
});
