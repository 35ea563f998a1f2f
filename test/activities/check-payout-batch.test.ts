import { expect, test } from 'vitest';
import { checkPayoutBatch } from '../../activities/check-payout-batch.js';

test('a page whose rows are wrong lists their faults by the number of the row in the batch', async () => {
  const head = { batch_id: 'b', page: 2, pages: 2, first_row: 501, rows: 502, digest: 'd' };
  const { problems } = await checkPayoutBatch({ batch: { ...head, payouts: [{}, { method: 'cheque' }] } });
  expect(problems.map(({ row: number, field }) => [number, field])).toEqual([
    [501, 'method'],
    [502, 'method'],
  ]);
});
