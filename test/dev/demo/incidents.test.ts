import { expect, test } from 'vitest';
import { recordsOf } from '../../../src/dev/demo/incidents/sandbox-control.js';
import { payoutEnds } from '../../../src/dev/demo/incidents/steps.js';
import { verdictOn } from '../../../src/dev/demo/incidents/verdict.js';
import { run } from '../../cli/support/command-line.js';

const expected = payoutEnds('rent-1', 'done', 'error', 'done');

test.each([
  ['as it should be', 'done', null, ['error', 'done'], 'solved'],
  ['done, and an operator is still needed', 'done', 'payout_returned', ['error', 'done'], 'open'],
  ['not retried', 'error', 'payout_failed', ['error'], 'open'],
  ['retried, and under way', 'processing', null, ['error', 'processing'], 'open'],
  ['done here, and not at the service', 'done', null, ['error', 'processing'], 'open'],
  ['paid by both attempts', 'done', 'paid_twice', ['done', 'done'], 'paid_twice'],
  ['paid by a payout too many', 'done', null, ['error', 'done', 'done'], 'paid_twice'],
])('an incident whose payout is %s', (_, status, attention, records, outcome) => {
  expect(verdictOn([{ expected, status, attention, records }])).toMatchObject({ outcome });
});

test('an incident is not solved before each of its payments is', () => {
  const solved = { expected, status: 'done', attention: null, records: ['error', 'done'] };
  expect(verdictOn([solved, { ...solved, attention: 'payout_returned' }]).outcome).toBe('open');
});

test('the records of a payout are those of all its attempts, and of no other payout', () => {
  const codes = ['rent-1', 'rent-1-r2', 'rent-10', 'rent-1-r2x', 'rent-1-r10'];
  const records = codes.map((code) => ({ partner_code: code, status: `of ${code}` }));
  expect(recordsOf('rent-1', records)).toEqual(['of rent-1', 'of rent-1-r2', 'of rent-1-r10']);
});

test.each([
  [['--incident', '13'], 'There is no incident 13.'],
  [['--incident', '0'], 'There is no incident 0.'],
  [['--incident', 'four'], 'There is no incident four.'],
  [['--incident', '1', '--keep'], 'Give --incident or --keep'],
])('`demo %j` is wrong usage, and starts nothing', async (args, message) => {
  const { code, output } = await run(['demo', ...args], {});
  expect(output).toContain(message);
  expect(code).toBe(2);
});

test('`demo --incident list` names all of them', async () => {
  const { code, output } = await run(['demo', '--incident', 'list'], {});
  expect(output.trim().split('\n')).toHaveLength(12);
  expect(code).toBe(0);
});
