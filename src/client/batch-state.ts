import type { PayoutBatchPageState, PayoutBatchState, RowCounts } from '../contract/payout-batch.js';
import { batchLimits } from '../domain/batch-limits.js';

/** A batch as all of its pages show it; a page that is undefined was never started, or is gone. */
export function batchStateOf(pages: readonly (PayoutBatchPageState | undefined)[]): PayoutBatchState {
  const known = pages.filter((page) => page !== undefined);
  const [first] = known;
  if (first === undefined) throw new Error('A batch has a page.');
  const sum = (name: keyof RowCounts) => known.reduce((total, { counts }) => total + counts[name], 0);
  const counts = {
    started: sum('started'),
    existing: sum('existing'),
    conflict: sum('conflict'),
    failed: sum('failed'),
  };
  const settled = counts.started + counts.existing + counts.conflict + counts.failed;
  const errors = known.flatMap((page) => page.errors);
  return {
    batch_id: first.batch_id,
    status: statusOf(known, pages.length > known.length),
    rows: first.rows,
    pages: first.pages,
    counts: { ...counts, pending: first.rows - settled },
    error_count: errors.length,
    errors: errors.slice(0, batchLimits.listedErrors),
  };
}

function statusOf(known: readonly PayoutBatchPageState[], lacksPages: boolean): PayoutBatchState['status'] {
  if (lacksPages) return 'incomplete';
  if (known.some(({ status }) => status === 'waiting' || status === 'starting')) return 'starting';
  return known.every(({ status }) => status === 'finished') ? 'finished' : 'stopped';
}
