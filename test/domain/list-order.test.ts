import { expect, test } from 'vitest';
import { isPast, unreadList, withPage } from '../../src/domain/list-order.js';

const minute = 60_000;
const now = 1_000_000 * minute;
const wanted = now - 30 * minute;
/** Pages of records that are so many minutes old; null for one without a time. */
type Pages = (number | null)[][];

const orderOf = (pages: Pages) =>
  pages
    .map((page) => page.map((ageMinutes) => (ageMinutes === null ? undefined : now - ageMinutes * minute)))
    .reduce(withPage, unreadList);

const day = 24 * 60;

test.for<[string, Pages, boolean]>([
  ['of which no page was read', [], false],
  ['without records', [[]], false],
  ['that descends to what is older within a page', [[1, 2, 31]], false],
  [
    'with one old time at the end of a page',
    [
      [1, 2, 9_000],
      [3, 4],
    ],
    false,
  ],
  ['that descends to what is older over its pages', [[1, 2], [20, 29], [31]], true],
  [
    'that descends, and is not there yet',
    [
      [1, 2],
      [20, 29],
    ],
    false,
  ],
  [
    'of near times that change places by minutes',
    [
      [1, 4, 2, 20, 18],
      [40, 37],
    ],
    true,
  ],
  [
    'whose last page holds a record without a time',
    [
      [1, 2],
      [31, null],
    ],
    false,
  ],
  ['whose earlier page holds a record without a time', [[null, 1, 2], [31]], true],
  ['without times', [[null, null]], false],
  ['of one record', [[31]], false],
  ['of equal times', [[31, 31], [31]], false],
  ['of equal times, years old', [[400 * day, 400 * day]], false],
  ['that ascends', [[9_000, 8_000, 7_000]], false],
  ['that ascends by minutes around that time', [[32, 31, 30, 29]], false],
  ['that is not sorted', [[1, 2, 31, 3, 40]], false],
  [
    'that was not sorted on an earlier page',
    [
      [20, 2],
      [40, 50],
    ],
    false,
  ],
  ['that shows nothing newer, and goes on for less than a day', [[31, 60], [day]], false],
  [
    'that shows nothing newer, and goes on for more than a day',
    [
      [31, 60],
      [day + 31, day + 60],
    ],
    true,
  ],
])('a list %s: past what is looked for is %s', ([, pages, past]) => {
  expect(isPast(orderOf(pages), wanted)).toBe(past);
});
