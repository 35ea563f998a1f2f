import { expect, test } from 'vitest';
import { tableRows, textOf } from './markdown.js';
import { expectTests } from './named-tests.js';

const rows = tableRows(textOf('docs/findings.md'), 'finding');

test.each(rows)(
  'finding %s (%s) is kept by tests that are there, by their sentences',
  (_number, _seen, tests) => {
    expectTests(tests ?? '');
  },
);

test('no finding is left out', () => {
  expect(rows.map(([number]) => Number(number))).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThanOrEqual(29);
});
