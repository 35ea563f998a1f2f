import { expect, test } from 'vitest';
import { batchStateOf } from '../../src/client/batch-state.js';
import type { PayoutBatchPageState } from '../../src/contract/payout-batch.js';
import { batchLimits } from '../../src/domain/batch-limits.js';

const none = { started: 0, existing: 0, conflict: 0, failed: 0, pending: 0 };

/** A page of three with a hundred rows each, of which the first ones failed. */
const pageOf = (page: number, status: PayoutBatchPageState['status'], failed = 0): PayoutBatchPageState => ({
  ...{ batch_id: 'wages', page, pages: 3, rows: 300, status },
  counts: { ...none, started: status === 'finished' ? 100 - failed : 0, failed },
  errors: Array.from({ length: failed }, (_, at) => ({
    ...{ row: (page - 1) * 100 + at + 1, partner_code: null, outcome: 'failed' as const, message: '' },
  })),
});

test('a batch counts the rows of all its pages, and lists the first errors of all', () => {
  const state = batchStateOf([pageOf(1, 'finished', 1), pageOf(2, 'finished', 99), pageOf(3, 'finished', 2)]);
  expect(state).toMatchObject({ status: 'finished', rows: 300, error_count: 102 });
  expect(state.counts).toEqual({ ...none, started: 198, failed: 102 });
  expect(state.errors.map(({ row }) => row)).toEqual([
    1,
    ...Array.from({ length: batchLimits.listedErrors - 1 }, (_, at) => 101 + at),
  ]);
});

test.for<[string, (PayoutBatchPageState | undefined)[], string, number]>([
  [
    'whose last page waits',
    [pageOf(1, 'finished'), pageOf(2, 'finished'), pageOf(3, 'waiting')],
    'starting',
    100,
  ],
  [
    'whose first page starts',
    [pageOf(1, 'starting'), pageOf(2, 'waiting'), pageOf(3, 'waiting')],
    'starting',
    300,
  ],
  ['that lacks a page', [pageOf(1, 'finished'), undefined, pageOf(3, 'finished')], 'incomplete', 100],
  [
    'with a cancelled page',
    [pageOf(1, 'finished'), pageOf(2, 'cancelled'), pageOf(3, 'finished')],
    'stopped',
    100,
  ],
])('a batch %s is shown so', ([, pages, status, pending]) => {
  expect(batchStateOf(pages)).toMatchObject({ status, counts: { pending } });
});
