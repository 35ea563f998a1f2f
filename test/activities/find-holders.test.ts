import { expect, test, vi } from 'vitest';
import { findHolders } from '../../activities/find-holders.js';
import { initialBulkRetry } from '../../src/client/initial-bulk-retry.js';
import type { BulkRetryState } from '../../src/contract/bulk-retry.js';
import { firstDispatch } from './support.js';

const startedAt = '2026-05-02T12:00:00.000Z';
const later = '2026-05-02T12:00:00.001Z';

/** The only other bulk retry: it is paused, and has some of the same payouts. */
function other(changes: Partial<BulkRetryState>): BulkRetryState {
  const initial = initialBulkRetry({ bulk_retry_id: 'nov-1', reason: 'the bank is back', by: 'ana' }, null);
  const counts = { ...initial.counts, matched: 6, pending: 5 };
  return { ...initial, status: 'paused', started_at: '2026-05-02T11:00:00.000Z', counts, ...changes };
}

const shared = ['rent-1', 'rent-2', 'rent-3', 'rent-4'];
const paged = (codes: string[], isChecked = false, isSelecting = false) => ({
  isChecked,
  isSelecting,
  codes,
});

/** Who has payouts of nov-2, beside which nov-1 alone is open and shows this; none: it does not answer. */
function holders(
  state: BulkRetryState | undefined,
  theirs: (() => Promise<ReturnType<typeof paged>>) | undefined,
  { ours = paged(['ours', ...shared]), dispatch = firstDispatch() } = {},
) {
  const find = findHolders({
    openBulkRetries: () => Promise.resolve([{ bulk_retry_id: 'nov-1', state }]),
    pendingOf: (id) =>
      id === 'nov-2' ? Promise.resolve(ours) : (theirs?.() ?? Promise.reject(new Error('no answer'))),
  });
  return dispatch.run(find, { bulk_retry_id: 'nov-2', started_at: startedAt });
}

test.for<[string, Partial<BulkRetryState>, boolean, boolean]>([
  ['that is paused holds them', {}, true, true],
  ['that runs holds them', { status: 'running' }, true, true],
  ['that stopped by itself holds them', { status: 'stopped', attention: 'bulk_retry_stopped' }, true, true],
  ['that an operator has stopped holds none', { status: 'stopped' }, true, false],
  ['that is a dry run holds none', { status: 'dry_run', dry_run: true }, true, false],
  ['that has retried all holds none', { counts: { ...other({}).counts, pending: 0 } }, true, false],
  ['that is over holds none', { status: 'finished', closed: true }, true, false],
  ['that was started later and is checked holds them', { started_at: later }, true, true],
  ['that was started later and is not checked holds none', { started_at: later }, false, false],
  ['that was started at that moment and has the lower id holds them', { started_at: startedAt }, false, true],
])('of two bulk retries of the same payouts the one %s', async ([, changes, isChecked, holds]) => {
  const theirs = () => Promise.resolve(paged([...shared, 'theirs'], isChecked));
  const ours = paged(['ours', ...shared], isChecked);
  const status = changes.status ?? 'paused';
  const holder = { bulk_retry_id: 'nov-1', status, count: 4, partner_codes: shared.slice(0, 3) };
  expect(await holders(other(changes), theirs, { ours })).toEqual(holds ? [holder] : []);
});

const unknown = { bulk_retry_id: 'nov-1', status: null, count: 0, partner_codes: [] };
const selecting = (codes: string[]) => () => Promise.resolve(paged(codes, false, true));
const canary = other({ status: 'canary', counts: { ...other({}).counts, matched: 0, pending: 0 } });

test.for<[string, BulkRetryState | undefined, Parameters<typeof holders>[1], object[]]>([
  ['whose state does not answer is reported without a status', undefined, undefined, [unknown]],
  ['whose pages do not answer is reported without a status', other({}), undefined, [unknown]],
  ['that began earlier and still selects is reported without one', canary, selecting([]), [unknown]],
  ['that began later and still selects holds none', other({ started_at: later }), selecting(['rent-1']), []],
])('a bulk retry %s', async ([, state, theirs, found]) => {
  expect(await holders(state, theirs)).toEqual(found);
});

test('the search of other bulk retries heartbeats while one of them does not answer', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const dispatch = firstDispatch();
  const beat = new Promise<void>((resolve) => {
    dispatch.onHeartbeat(() => {
      resolve();
    });
  });
  const theirs = async () => {
    await Promise.all([beat, vi.advanceTimersByTimeAsync(30_000)]);
    return paged(shared);
  };
  const found = await holders(other({}), theirs, { dispatch });
  expect(found).toMatchObject([{ bulk_retry_id: 'nov-1', status: 'paused' }]);
});
