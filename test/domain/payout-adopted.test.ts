import { expect, test } from 'vitest';
import type { Attempt } from '../../src/domain/payout-attempts.js';
import { adopted } from '../../src/domain/payout-readings.js';
import { attempt, payoutOf, right, shown } from '../support/payout-readings.js';

test('what an operator has found is followed by its identifier there, and by that of the list', () => {
  const payout = payoutOf([attempt(1, { phase: 'unknown', error: 'no answer' })]);
  const { attempts } = adopted(
    payout,
    '71',
    { shown: shown(1, 'claimed', { service_id: 'L1' }), wasRead: false },
    right,
  );
  expect(attempts).toMatchObject([
    { phase: 'known', serviceId: '71', listId: 'L1', status: 'claimed', listed: true, error: null },
  ]);
});

test.for<[string, Attempt, Parameters<typeof adopted>[2], Partial<Attempt>]>([
  [
    'was read',
    attempt(1, { phase: 'unknown' }),
    { shown: shown(1, 'claimed'), wasRead: true },
    { wasRead: true, listId: null, status: 'claimed' },
  ],
  [
    'shows no status',
    attempt(1, { phase: 'unknown' }),
    { shown: shown(1, null), wasRead: true },
    { phase: 'known', status: null },
  ],
  [
    'has an identifier in the list already',
    attempt(1, { phase: 'unknown', listId: 'L0' }),
    { shown: shown(1, 'claimed', { service_id: 'L1' }), wasRead: false },
    { listId: 'L0' },
  ],
])('what an operator has found and that %s', ([, latest, found, expected]) => {
  const { attempts } = adopted(payoutOf([latest]), '71', found, right);
  expect(attempts).toEqual([expect.objectContaining(expected)]);
});
