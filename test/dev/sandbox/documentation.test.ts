import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Scenario } from '../../../src/dev/sandbox/scenario.js';
import { magicNumbers, scenarios } from '../../../src/dev/sandbox/scenarios.js';

/** The rows of all tables of the page whose heading row starts with `heading`. */
async function rowsUnder(heading: string): Promise<string[][]> {
  const page = await readFile(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
  const tables = page
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  return tables
    .map((lines) => lines.map((line) => line.split(/(?<!\\)\|/).slice(1, -1)))
    .filter(([head]) => head?.[0]?.trim() === heading)
    .flatMap(([, , ...rows]) => rows.map((cells) => cells.map((cell) => cell.trim())));
}

const concerns: Partial<Record<keyof Scenario, string>> = {
  order: 'orders',
  payout: 'payouts',
  validation: 'validations',
  refund: 'refunds',
  listing: 'the list',
  paysByItself: 'checkouts',
};

test('docs/sandbox.md lists every tag with the words of the table, and no other', async () => {
  const inCode = [...scenarios].map(([tag, scenario]) => {
    const whom = Object.entries(concerns).flatMap(([field, words]) => (field in scenario ? [words] : []));
    return [`\`${tag}\``, ...(whom.length === 0 ? [] : [whom.join(', ')]), scenario.means];
  });
  expect(await rowsUnder('tag')).toEqual(inCode);
});

test('docs/sandbox.md lists every number that stands for a tag', async () => {
  const inCode = [...magicNumbers].map(([number, tag]) => [`\`${number}\``, `\`${tag}\``]);
  expect(await rowsUnder('number')).toEqual(inCode);
});
