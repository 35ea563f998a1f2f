import { expect, test } from 'vitest';
import type { Scenario } from '../../../src/dev/sandbox/scenario.js';
import { magicNumbers, scenarios } from '../../../src/dev/sandbox/scenarios.js';
import { tableRows, textOf } from '../../docs/markdown.js';

const page = textOf('docs/sandbox.md');

const concerns: Partial<Record<keyof Scenario, string>> = {
  order: 'orders',
  payout: 'payouts',
  validation: 'validations',
  refund: 'refunds',
  listing: 'the list',
  paysByItself: 'checkouts',
};

test('docs/sandbox.md lists every tag with the words of the table, and no other', () => {
  const inCode = [...scenarios].map(([tag, scenario]) => {
    const whom = Object.entries(concerns).flatMap(([field, words]) => (field in scenario ? [words] : []));
    return [`\`${tag}\``, ...(whom.length === 0 ? [] : [whom.join(', ')]), scenario.means];
  });
  expect(tableRows(page, 'tag')).toEqual(inCode);
});

test('docs/sandbox.md lists every number that stands for a tag', () => {
  const inCode = [...magicNumbers].map(([number, tag]) => [`\`${number}\``, `\`${tag}\``]);
  expect(tableRows(page, 'number')).toEqual(inCode);
});
