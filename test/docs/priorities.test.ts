import { expect, test } from 'vitest';
import { priorityKeyOf, priorityKeys } from '../../src/domain/priorities.js';
import { textOf } from './markdown.js';

test('the priorities that are documented for other SDKs are those of the gateway', () => {
  const { batch, order, usual } = priorityKeys;
  expect(priorityKeyOf('card_order')).toBe(order);
  const documented =
    /usual one, (\d)\. The gateway gives orders (\d) and the payouts of a batch (\d) .*: give an order (\d)/;
  const [, ...numbers] = documented.exec(textOf('docs/temporal-sdk.md')) ?? [];
  expect(numbers.map(Number)).toEqual([usual, order, batch, order]);
});
