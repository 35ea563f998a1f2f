import { expect, test } from 'vitest';
import { isPast, unreadList, withPage } from '../../src/domain/list-order.js';

const minute = 60_000;
const now = 1_000_000 * minute;
const wanted = now - 30 * minute;

/** A list of these pages, as "1 2 | 31": records that are so many minutes old; "-" is one without a time. */
const orderOf = (pages: string) =>
  (pages === '' ? [] : pages.split('|'))
    .map((page) => page.split(' ').filter((age) => age !== ''))
    .map((page) => page.map((age) => (age === '-' ? undefined : now - Number(age) * minute)))
    .reduce(withPage, unreadList);

test.for([
  ['of which no page was read', '', false],
  ['without records', ' ', false],
  ['that descends to what is older within a page', '1 2 31', false],
  ['with one old time at the end of a page', '1 2 9000 | 3 4', false],
  ['that descends to what is older over its pages', '1 2 | 20 29 | 31', true],
  ['that descends, and is not there yet', '1 2 | 20 29', false],
  ['of near times that change places by minutes', '1 4 2 20 18 | 40 37', true],
  ['whose last page holds a record without a time', '1 2 | 31 -', false],
  ['whose earlier page holds a record without a time', '- 1 2 | 31', true],
  ['without times', '- -', false],
  ['of one record', '31', false],
  ['of equal times', '31 31 | 31', false],
  ['of equal times, 400 days old', '576000 576000', false],
  ['that ascends', '9000 8000 7000', false],
  ['that ascends by minutes around that time', '32 31 30 29', false],
  ['that is not sorted', '1 2 31 3 40', false],
  ['that was not sorted on an earlier page', '20 2 | 40 50', false],
  ['that shows nothing newer, and goes on for less than a day', '31 60 | 1440', false],
  ['that shows nothing newer, and goes on for more than a day', '31 60 | 1471 1500', true],
] as const)('a list %s, %j: past what is looked for is %s', ([, pages, past]) => {
  expect(isPast(orderOf(pages), wanted)).toBe(past);
});
